// ed25519-dalek on a file of signatures, for the benchmark beside it.
//   dalek time FILE BATCH fresh|kept   prints how many hold, and the microseconds of processor time
//   dalek accept FILE one|strict|batch prints 1 or 0 for each
// The file: u32 count, then for each key (32 bytes), signature (64), u32 length, message. Numbers are little-endian.
// Keeps: what is timed is verification alone. Keys are decoded within that time, unless they are `kept`; all of it was done
// once before, so that nothing is timed cold.

use ed25519_dalek::{verify_batch, Signature, Verifier, VerifyingKey};
use std::{env, fs, process};

struct Job {
    key: [u8; 32],
    signature: Signature,
    message: Vec<u8>,
}

fn read(path: &str) -> Vec<Job> {
    let bytes = fs::read(path).expect("a file of signatures");
    let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let mut at = 4;
    (0..number(0))
        .map(|_| {
            let length = number(at + 96);
            let job = Job {
                key: bytes[at..at + 32].try_into().unwrap(),
                signature: Signature::from_bytes(bytes[at + 32..at + 96].try_into().unwrap()),
                message: bytes[at + 100..at + 100 + length].to_vec(),
            };
            at += 100 + length;
            job
        })
        .collect()
}

fn key_of(job: &Job) -> Option<VerifyingKey> {
    VerifyingKey::from_bytes(&job.key).ok()
}

fn holds(job: &Job, key: Option<VerifyingKey>) -> bool {
    key.is_some_and(|key| key.verify(&job.message, &job.signature).is_ok())
}

/// How many of a batch hold; one by one if not all of them do.
fn good(jobs: &[Job], keys: &[Option<VerifyingKey>]) -> usize {
    if jobs.len() > 1 {
        let messages: Vec<&[u8]> = jobs.iter().map(|job| job.message.as_slice()).collect();
        let signatures: Vec<Signature> = jobs.iter().map(|job| job.signature).collect();
        let whole: Option<Vec<VerifyingKey>> = keys.iter().copied().collect();
        if whole.is_some_and(|keys| verify_batch(&messages, &signatures, &keys).is_ok()) {
            return jobs.len();
        }
    }
    jobs.iter().zip(keys).filter(|(job, key)| holds(job, **key)).count()
}

fn processor_us() -> i64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call only writes the struct that it is given.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    time.tv_sec * 1_000_000 + time.tv_nsec / 1_000
}

fn time(jobs: &[Job], batch: usize, is_kept: bool) {
    let kept: Vec<Option<VerifyingKey>> = jobs.iter().map(key_of).collect();
    let pass = || -> usize {
        jobs.chunks(batch)
            .zip(kept.chunks(batch))
            .map(|(part, keys)| {
                if is_kept {
                    good(part, keys)
                } else {
                    good(part, &part.iter().map(key_of).collect::<Vec<_>>())
                }
            })
            .sum()
    };
    pass();
    let before = processor_us();
    let count = pass();
    println!("{count} {}", processor_us() - before);
}

fn accept(jobs: &[Job], how: &str) {
    let verdicts: String = jobs
        .iter()
        .map(|job| {
            let is_good = key_of(job).is_some_and(|key| match how {
                "one" => key.verify(&job.message, &job.signature).is_ok(),
                "strict" => key.verify_strict(&job.message, &job.signature).is_ok(),
                _ => verify_batch(&[&job.message], &[job.signature], &[key]).is_ok(),
            });
            if is_good { '1' } else { '0' }
        })
        .collect();
    println!("{verdicts}");
}

fn main() {
    let given: Vec<String> = env::args().collect();
    match given.iter().map(String::as_str).collect::<Vec<_>>()[1..] {
        ["time", file, batch, keys] => time(&read(file), batch.parse().expect("a batch size"), keys == "kept"),
        ["accept", file, how] => accept(&read(file), how),
        _ => process::exit(2),
    }
}
