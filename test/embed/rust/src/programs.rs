//! Runs metered programs in wasmtime and compares how they end: protocol 14.2, 14.5 and 14.6.
//! The lines of the file are described in ../../js/programs.mjs.

use crate::door::show;
use wasmtime::{Engine, Error, Instance, Module, Store, Trap, Val};

/// By the stop global: what a trap means.
const ENDS: [&str; 4] = ["trapped", "out_of_fuel", "out_of_stack", "unreachable"];
const MAX_OUTPUT_BYTES: u64 = 1_048_576;

fn unhex(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap()).collect()
}

fn call(store: &mut Store<()>, instance: Instance, name: &str, args: &[Val], zero: Val) -> Result<Val, Error> {
    let mut results = [zero];
    let export = instance.get_func(&mut *store, name).unwrap();
    let count = export.ty(&*store).results().len();
    export.call(&mut *store, args, &mut results[..count])?;
    Ok(results[0])
}

/// The output; none if the program names bytes that are not its own.
fn run(store: &mut Store<()>, instance: Instance, input: &[u8]) -> Result<Option<Vec<u8>>, Error> {
    if instance.get_func(&mut *store, "vws_start").is_some() {
        call(store, instance, "vws_start", &[], Val::I32(0))?;
    }
    let memory = instance.get_memory(&mut *store, "memory").unwrap();
    let size = memory.data_size(&*store) as u64;
    let length = Val::I32(input.len() as i32);
    let at = call(store, instance, "vws_input", &[length], Val::I32(0))?.unwrap_i32();
    if u64::from(at as u32) + input.len() as u64 > size {
        return Ok(None);
    }
    memory.write(&mut *store, at as u32 as usize, input).unwrap();
    let range = call(store, instance, "vws_run", &[Val::I32(at), length], Val::I64(0))?.unwrap_i64() as u64;
    let (from, length) = (range >> 32, range & 0xffff_ffff);
    if from + length > size || length > MAX_OUTPUT_BYTES {
        return Ok(None);
    }
    Ok(Some(memory.data(&*store)[from as usize..][..length as usize].to_vec()))
}

fn answer(engine: &Engine, code: &[u8], fuel: i32, input: &[u8]) -> String {
    let mut store = Store::new(engine, ());
    let module = Module::new(engine, code).unwrap();
    let instance = Instance::new(&mut store, &module, &[]).unwrap();
    let counter = instance.get_global(&mut store, "vws_fuel").unwrap();
    counter.set(&mut store, Val::I32(fuel)).unwrap();
    let outcome = run(&mut store, instance, input);
    let used = fuel.min(fuel.wrapping_sub(counter.get(&mut store).unwrap_i32()));
    match outcome {
        Ok(Some(output)) => format!("returned {used} {}", show(&output)),
        Ok(None) => format!("bad_range {used} "),
        Err(error) => {
            assert!(error.downcast_ref::<Trap>().is_some(), "no trap: {error}");
            let stop = instance.get_global(&mut store, "vws_stop").unwrap().get(&mut store);
            format!("{} {used} ", ENDS[stop.unwrap_i32() as usize])
        }
    }
}

/// Prints cases, mismatches and a digest of all answers; how many mismatches.
pub fn play(file: &str) -> usize {
    let (engine, mut cases, mut mismatches, mut answers) = (Engine::default(), 0, 0, String::new());
    for line in std::fs::read_to_string(file).unwrap().lines() {
        let Some((question, expected)) = line.split_once(" = ") else { continue };
        let words: Vec<&str> = question.split(' ').collect();
        let actual = answer(&engine, &unhex(words[0]), words[1].parse().unwrap(), &unhex(words[2]));
        answers += &format!("{actual}\n");
        if actual != expected {
            mismatches += 1;
            eprintln!("program {cases}: {actual}, expected {expected}");
        }
        cases += 1;
    }
    println!("programs cases={cases} mismatches={mismatches} answers={}", show(answers.as_bytes()));
    mismatches
}
