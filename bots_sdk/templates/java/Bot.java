import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A bot for Thousand: plays aces as soon as it may, and is careful otherwise.
 *
 * <p>A request is one line of JSON. This bot reads the two things it needs by their names; for more than that
 * (your hand, the trick, …) put a JSON library's sources beside this file: all are compiled together.
 * System.err is your log; standard output is for answers only.
 */
public class Bot {
    private static final Pattern ID = Pattern.compile("\"id\":(\\d+)");
    private static final Pattern LEGAL = Pattern.compile("\"legal\":\\[\"([^\\]]*)\"\\]");

    /** Chooses from everything you may do now; the first is the mildest. */
    static String choose(List<String> legal) {
        return legal.stream().filter(action -> action.startsWith("play A")).findFirst().orElse(legal.get(0));
    }

    public static void main(String[] args) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            if (line.startsWith("{\"type\":\"hello\"")) {
                System.out.println("{\"type\":\"ready\"}");
            } else if (line.startsWith("{\"type\":\"act\"")) {
                String action = choose(List.of(found(LEGAL, line).split("\",\"")));
                System.out.println("{\"id\":" + found(ID, line) + ",\"action\":\"" + action + "\"}");
            }
            System.out.flush();
        }
    }

    private static String found(Pattern pattern, String line) {
        Matcher matcher = pattern.matcher(line);
        if (!matcher.find()) {
            throw new IllegalArgumentException("no " + pattern + " in " + line);
        }
        return matcher.group(1);
    }
}
