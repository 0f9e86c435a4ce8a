// A bot for Thousand: plays aces as soon as it may, and is careful otherwise.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// Request is what this bot reads of a message; add fields as you need them.
type Request struct {
	Type  string   `json:"type"`
	ID    int      `json:"id"`
	Phase string   `json:"phase"`
	Legal []string `json:"legal"` // everything you may do now, the mildest first
	View  struct {
		Hand []string `json:"hand"` // "AS" is the ace of spades
	} `json:"view"`
}

func choose(request Request) string {
	for _, action := range request.Legal {
		if strings.HasPrefix(action, "play A") {
			return action
		}
	}
	return request.Legal[0]
}

func main() {
	input := bufio.NewReader(os.Stdin)
	for {
		line, err := input.ReadBytes('\n')
		if err != nil {
			return
		}
		var request Request
		if err := json.Unmarshal(line, &request); err != nil {
			fmt.Fprintln(os.Stderr, err) // standard error is your log
			os.Exit(1)
		}
		switch request.Type {
		case "hello":
			fmt.Println(`{"type":"ready"}`)
		case "act":
			fmt.Printf("{\"id\":%d,\"action\":%q}\n", request.ID, choose(request))
		}
	}
}
