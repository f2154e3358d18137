//! Runs the vectors on the modules and compares the answers: embed <vectors> <folder of modules> [rounds]
//! or metered programs: embed --programs <file>, or proofs of documents: embed --proofs <file>

mod door;
mod programs;
mod proofs;

use door::Door;
use std::time::{Duration, Instant};

fn play(name: &str, cases: &[(&str, &str)], folder: &str, rounds: usize) -> usize {
    let started = Instant::now();
    let mut door = Door::new(name.split(['.', '-']).next().unwrap(), &format!("{folder}/{name}"));
    let (loaded, mut best, mut mismatches) = (started.elapsed(), Duration::MAX, 0);
    for _ in 0..rounds {
        let begun = Instant::now();
        for (question, expected) in cases {
            let words: Vec<&str> = question.split(' ').collect();
            let answer = door.answer(words[0], &words[1..]);
            if answer != *expected {
                mismatches += 1;
                eprintln!("{name}: {question:.60}: {answer}, expected {expected}");
            }
        }
        best = best.min(begun.elapsed());
    }
    let [load_ms, run_ms] = [loaded, best].map(|time| time.as_secs_f64() * 1000.0);
    let cases = cases.len();
    println!("{name} cases={cases} mismatches={mismatches} load_ms={load_ms:.1} run_ms={run_ms:.1}");
    mismatches
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    if args[1] == "--programs" {
        std::process::exit(if programs::play(&args[2]) > 0 { 1 } else { 0 });
    }
    if args[1] == "--proofs" {
        std::process::exit(if proofs::play(&args[2]) > 0 { 1 } else { 0 });
    }
    let text = std::fs::read_to_string(&args[1]).unwrap();
    let rounds = args.get(3).map_or(1, |rounds| rounds.parse().unwrap());
    let mut bad = 0;
    for section in text.split("\nmodule ").skip(1) {
        let (names, lines) = section.split_once('\n').unwrap();
        let cases: Vec<_> = lines.lines().filter_map(|line| line.split_once(" = ")).collect();
        bad += names.split(' ').map(|name| play(name, &cases, &args[2], rounds)).sum::<usize>();
    }
    std::process::exit(if bad > 0 { 1 } else { 0 });
}
