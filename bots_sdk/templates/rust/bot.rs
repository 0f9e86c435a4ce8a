//! A bot for Thousand: plays aces as soon as it may, and is careful otherwise.
//!
//! A request is one line of JSON. This bot reads the two things it needs by their names; for more than that
//! make it a package: Cargo.toml, src/, and a JSON crate under vendor/ (`cargo vendor`).
//! eprintln!() writes to your log; standard output is for answers only.

use std::io::{self, BufRead, Write};

/// "legal":["pass","bid 105"]: everything you may do now, the mildest first.
fn legal_actions(line: &str) -> Vec<&str> {
    let list = line.split("\"legal\":[").nth(1).expect("an act has legal actions");
    let list = &list[..list.find(']').expect("the list ends")];
    list.split(',').map(|action| action.trim_matches('"')).collect()
}

fn choose(line: &str) -> &str {
    let legal = legal_actions(line);
    let ace = legal.iter().find(|action| action.starts_with("play A"));
    ace.copied().unwrap_or(legal[0])
}

fn main() -> io::Result<()> {
    let mut output = io::stdout();
    for line in io::stdin().lock().lines() {
        let line = line?;
        if line.starts_with("{\"type\":\"hello\"") {
            writeln!(output, "{{\"type\":\"ready\"}}")?;
        } else if line.starts_with("{\"type\":\"act\"") {
            let id = line.split("\"id\":").nth(1).and_then(|rest| rest.split(',').next()).unwrap_or("");
            writeln!(output, "{{\"id\":{},\"action\":\"{}\"}}", id, choose(&line))?;
        }
        output.flush()?; // a pipe may be buffered
    }
    Ok(())
}
