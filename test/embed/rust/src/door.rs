//! A module in wasmtime: a door answers the questions of ../vectors.txt.
//! Questions and answers: ../README.md; what they call: assembly/README.md. What cannot be, a trap too, is a panic.

use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use wasmtime::{Engine, Instance, Module, Store, Val};

const PAGE_BYTES: i32 = 8192;

/// Bytes that consensus.wasm has written when a call gave n.
fn written(verb: &str, n: i32) -> i32 {
    match verb {
        "insert" | "preview" | "explain" | "figures" | "timely" | "snapshot_part" => n,
        "next_block" => 56 * n,
        "block_part" => 56 + 36 * n,
        "evidence_part" => 72 * n,
        _ => 0,
    }
}

/// Bytes are written as x and hex.
fn unhex(text: &str) -> Vec<u8> {
    let digits = text[1..].as_bytes().chunks_exact(2);
    let byte = |pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
    digits.map(byte).collect()
}

pub fn show(data: &[u8]) -> String {
    let digest = Sha256::digest(data);
    let shown = if data.len() <= 64 { data } else { &digest[..16] };
    shown.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub struct Door {
    prefix: String,
    module: Module,
    running: Option<(Store<()>, Instance)>,
    config: Vec<u8>,
    pages: BTreeMap<u32, Vec<u8>>,
}

impl Door {
    pub fn new(prefix: &str, path: &str) -> Self {
        let module = Module::from_file(&Engine::default(), path).unwrap();
        let (config, pages) = (Vec::new(), BTreeMap::new());
        Door { prefix: prefix.to_string(), module, running: None, config, pages }
    }

    fn open(&mut self) {
        let mut store = Store::new(self.module.engine(), ());
        let instance = Instance::new(&mut store, &self.module, &[]).unwrap();
        self.running = Some((store, instance));
    }

    fn call(&mut self, name: &str, args: &[i32]) -> i32 {
        let (store, instance) = self.running.as_mut().unwrap();
        let export = instance.get_func(&mut *store, &format!("{}_{name}", self.prefix)).unwrap();
        let args: Vec<Val> = args.iter().map(|arg| Val::I32(*arg)).collect();
        let mut results = vec![Val::I32(0); export.ty(&*store).results().len()];
        export.call(store, &args, &mut results).unwrap();
        results.first().map_or(0, Val::unwrap_i32)
    }

    fn write(&mut self, at: i32, data: &[u8]) {
        let (store, instance) = self.running.as_mut().unwrap();
        let memory = instance.get_memory(&mut *store, "memory").unwrap();
        memory.write(store, at as usize, data).unwrap();
    }

    fn put(&mut self, data: &[u8]) -> i32 {
        let at = self.call("in_ptr", &[]);
        self.write(at, data);
        data.len() as i32
    }

    fn read(&mut self, at: i32, length: i32) -> Vec<u8> {
        let (store, instance) = self.running.as_mut().unwrap();
        let memory = instance.get_memory(&mut *store, "memory").unwrap();
        memory.data(store)[at as usize..][..length as usize].to_vec()
    }

    pub fn answer(&mut self, verb: &str, args: &[&str]) -> String {
        match verb {
            "new" => return self.fresh(args.first().copied()),
            "reload" => return self.reload(),
            "load" => return self.load(args),
            "init" => self.config = unhex(args[0]),
            _ => (),
        }
        let mut values = Vec::new();
        for arg in args {
            values.push(if arg.starts_with('x') { self.put(&unhex(arg)) } else { arg.parse().unwrap() });
        }
        // The input of an explanation has one length only.
        let result = self.call(verb, if verb == "explain" { &[] } else { &values });
        let length = if self.prefix == "core" { self.call("out_len", &[]) } else { written(verb, result) };
        if result < 0 || length == 0 {
            return result.to_string();
        }
        let at = self.call("out_ptr", &[]);
        let out = self.read(at, length);
        if verb == "dirty" {
            for name in out.chunks_exact(4) {
                let number = u32::from_le_bytes(name.try_into().unwrap());
                let (at, length) = self.page(number);
                let page = self.read(at, length);
                self.pages.insert(number, page);
            }
        }
        format!("{result}:{}", show(&out))
    }

    /// A new instance; that of ed25519.wasm takes 16 random bytes.
    fn fresh(&mut self, random: Option<&str>) -> String {
        self.open();
        self.pages.clear();
        if let Some(text) = random {
            let at = self.call("jobs_ptr", &[]);
            self.write(at, &unhex(text));
            self.call("init", &[]);
        }
        self.call("abi_version", &[]).to_string()
    }

    /// Where a page of the state is, and its length: the last one may be shorter.
    fn page(&mut self, number: u32) -> (i32, i32) {
        let at = PAGE_BYTES * number as i32;
        (self.call("state_ptr", &[]) + at, PAGE_BYTES.min(self.call("state_bytes", &[]) - at))
    }

    /// A new core, as it is after the import of all pages that are not zero.
    fn reload(&mut self) -> String {
        self.open();
        let length = self.put(&self.config.clone());
        let mut code = self.call("init", &[length]) | self.call("import", &[0]);
        self.pages.retain(|_, page| page.iter().any(|byte| *byte != 0));
        let mut all = Vec::new();
        for (number, page) in self.pages.clone() {
            let name = number.to_le_bytes();
            all.extend([&name, &page[..]].concat());
            let (at, _) = self.page(number);
            self.write(at, &page);
            self.put(&name);
            code |= self.call("import", &[1]);
        }
        format!("{}:{}", code | self.call("import_end", &[0]), show(&all))
    }

    fn load(&mut self, jobs: &[&str]) -> String {
        let (jobs_at, messages_at) = (self.call("jobs_ptr", &[]), self.call("messages_ptr", &[]));
        let mut from = 0i32;
        for (at, job) in (jobs_at..).step_by(128).zip(jobs.iter().map(|job| unhex(job))) {
            let (head, message) = job.split_at(112);
            let length = message.len() as i32;
            self.write(at, &[head, &from.to_le_bytes(), &length.to_le_bytes()].concat());
            self.write(messages_at + from, message);
            from += length;
        }
        self.call("load", &[jobs.len() as i32]).to_string()
    }
}
