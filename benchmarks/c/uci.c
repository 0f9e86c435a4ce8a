/* A chess engine that does not think: it answers every `go` with the next move of a game it is given.

   uci MOVES       a file with the moves of one game, separated by blanks, as in `e2e4 e7e5 …`

   What a match runner spends on a move is then all that there is. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 1024

static char game[MOST][8];
static char line[1 << 16];

int main(int argc, char **argv)
{
    FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
    int moves = 0, played = 0;

    if (!file) {
        fprintf(stderr, "usage: uci MOVES\n");
        return 2;
    }
    while (moves < MOST && fscanf(file, "%7s", game[moves]) == 1)
        moves++;
    fclose(file);
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "uci\n", 4) || !strncmp(line, "uci\r", 4)) {
            puts("id name replayer\nid author none\nuciok");
        } else if (!strncmp(line, "isready", 7)) {
            puts("readyok");
        } else if (!strncmp(line, "position", 8)) {
            char *list = strstr(line, " moves ");
            played = 0;
            if (list)
                for (char *move = strtok(list + 7, " \r\n"); move; move = strtok(NULL, " \r\n"))
                    played++;
        } else if (!strncmp(line, "go", 2)) {
            printf("info depth 1 score cp 0 nodes 1 time 0\nbestmove %s\n",
                   played < moves ? game[played] : "0000");
        } else if (!strncmp(line, "quit", 4)) {
            return 0;
        }
    }
    return 0;
}
