//! Checks proofs of documents against a pinned state root: consensus 5.18. Needs no module and nothing but SHA-256.
//! The lines of the file are described in its head; who pins a root gets it from a checkpoint that seats signed.

use sha2::{Digest, Sha256};

const MAX_PROOF_BYTES: usize = 262_144;
const MAX_KEY_BYTES: usize = 33;

fn unhex(text: &str) -> Vec<u8> {
    (0..text.len() - 1).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap()).collect()
}

fn hash(parts: &[&[u8]]) -> [u8; 32] {
    let mut digest = Sha256::new();
    for part in parts {
        digest.update(part);
    }
    digest.finalize().into()
}

fn prefix_of(key: &[u8], depth: usize) -> Vec<u8> {
    let mut prefix = key[..depth.div_ceil(2)].to_vec();
    if depth % 2 == 1 {
        *prefix.last_mut().unwrap() &= 0xf0;
    }
    prefix
}

/// A part of the tree: the nibbles with which all its keys begin.
struct Place {
    depth: usize,
    prefix: Vec<u8>,
}

impl Place {
    fn holds(&self, key: &[u8]) -> bool {
        2 * key.len() >= self.depth && prefix_of(key, self.depth) == self.prefix
    }

    fn below(&self, nibble: u8) -> Place {
        let mut prefix = self.prefix.clone();
        prefix.resize((self.depth + 2) / 2, 0);
        prefix[self.depth / 2] |= if self.depth % 2 == 0 { nibble << 4 } else { nibble };
        Place { depth: self.depth + 1, prefix }
    }

    fn may_hold(&self, first: &[u8], last: &[u8]) -> bool {
        let size = first.len();
        let (mut low, mut high) = (self.prefix.clone(), self.prefix.clone());
        low.resize(size, 0);
        high.resize(size, 0xff);
        if self.depth % 2 == 1 && self.depth / 2 < size {
            high[self.depth / 2] |= 0x0f;
        }
        low.as_slice() <= last && high.as_slice() >= first
    }
}

struct Tree<'a> {
    data: &'a [u8],
    leaves: Vec<(&'a [u8], &'a [u8])>,
    hidden: Vec<Place>,
}

impl<'a> Tree<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (part, rest) = self.data.split_at_checked(count)?;
        self.data = rest;
        Some(part)
    }

    /// The hash of a node; none if it cannot lie there.
    fn node(&mut self, at: Place) -> Option<[u8; 32]> {
        match self.take(1)?[0] {
            0 => {
                self.hidden.push(at);
                self.take(32)?.try_into().ok()
            }
            1 => {
                let size = self.take(1)?;
                let (key, value) = (self.take(size[0].into())?, self.take(32)?);
                if key.len() > MAX_KEY_BYTES || !at.holds(key) {
                    return None;
                }
                self.leaves.push((key, value));
                Some(hash(&[&[0], size, key, value]))
            }
            2 => self.branch(at),
            _ => None,
        }
    }

    fn branch(&mut self, at: Place) -> Option<[u8; 32]> {
        let size = self.take(1)?;
        let depth = usize::from(size[0]);
        let (prefix, mask) = (self.take(depth.div_ceil(2))?, self.take(2)?);
        let bits = u16::from_le_bytes(mask.try_into().unwrap());
        let is_placed = depth >= at.depth && depth < 2 * MAX_KEY_BYTES && at.holds(prefix);
        if !is_placed || prefix_of(prefix, depth) != prefix || bits.count_ones() < 2 {
            return None;
        }
        let here = Place { depth, prefix: prefix.to_vec() };
        let mut all = [&[1], size, prefix, mask].concat();
        for nibble in (0..16).filter(|nibble| bits & (1 << nibble) != 0) {
            all.extend(self.node(here.below(nibble))?);
        }
        Some(hash(&[&all]))
    }
}

/// Keys and values of all leaves from first to last under a state root; none if that is not what the proof shows.
fn proven<'a>(words: &'a [Vec<u8>]) -> Option<Vec<(&'a [u8], &'a [u8])>> {
    let [state_root, core_root, first, last, proof] = words else { return None };
    let mut tree = Tree { data: proof, leaves: vec![], hidden: vec![] };
    let top = Place { depth: 0, prefix: vec![] };
    let root = if proof.is_empty() { [0; 32] } else { tree.node(top)? };
    let is_read = tree.data.is_empty() && proof.len() <= MAX_PROOF_BYTES;
    if !is_read || hash(&[b"VWS-STATE-V2", core_root, &root])[..] != state_root[..] {
        return None;
    }
    if tree.hidden.iter().any(|place| place.may_hold(first, last)) {
        return None;
    }
    tree.leaves.retain(|(key, _)| *key >= first.as_slice() && *key <= last.as_slice());
    Some(tree.leaves)
}

fn answer(question: &str) -> String {
    let words: Vec<_> = question.split(' ').map(unhex).collect();
    let Some(leaves) = proven(&words) else { return "no".into() };
    let all: Vec<u8> = leaves.iter().flat_map(|(key, value)| [*key, *value].concat()).collect();
    let digest: String = hash(&[&all])[..16].iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{} {digest}", leaves.len())
}

/// Number of mismatches.
pub fn play(path: &str) -> usize {
    let text = std::fs::read_to_string(path).unwrap();
    let cases: Vec<_> = text.lines().filter(|line| !line.starts_with('#')).collect();
    let mut mismatches = 0;
    for (n, line) in cases.iter().enumerate() {
        let (question, expected) = line.split_once(" = ").unwrap();
        let found = answer(question);
        if found != expected {
            mismatches += 1;
            eprintln!("proof {}: {found}, expected {expected}", n + 1);
        }
    }
    println!("proofs cases={} mismatches={mismatches}", cases.len());
    mismatches
}
