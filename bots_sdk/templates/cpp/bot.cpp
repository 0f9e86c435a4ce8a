// A bot for Thousand: plays aces as soon as it may, and is careful otherwise.
//
// A request is one line of JSON. This bot reads the two things it needs by their names; for more than that
// (your hand, the trick, …) put a JSON library's header beside this file: the folder is on the include path.
// std::cerr writes to your log; standard output is for answers only.
#include <iostream>
#include <string>
#include <vector>

// "legal":["pass","bid 105"]: everything you may do now, the mildest first.
static std::vector<std::string> legal_actions(const std::string& line) {
    const std::string name = "\"legal\":[";
    std::vector<std::string> actions;
    auto at = line.find(name) + name.size();
    const auto end = line.find(']', at);
    while ((at = line.find('"', at)) < end) {
        const auto close = line.find('"', at + 1);
        actions.push_back(line.substr(at + 1, close - at - 1));
        at = close + 1;
    }
    return actions;
}

static std::string choose(const std::string& line) {
    const auto legal = legal_actions(line);
    for (const auto& action : legal) {
        if (action.starts_with("play A")) {
            return action;
        }
    }
    return legal.front();
}

int main() {
    std::string line;
    while (std::getline(std::cin, line)) {
        if (line.starts_with("{\"type\":\"hello\"")) {
            std::cout << "{\"type\":\"ready\"}" << std::endl;  // endl flushes: a pipe is buffered
        } else if (line.starts_with("{\"type\":\"act\"")) {
            const auto id = std::stol(line.substr(line.find("\"id\":") + 5));
            std::cout << "{\"id\":" << id << ",\"action\":\"" << choose(line) << "\"}" << std::endl;
        }
    }
}
