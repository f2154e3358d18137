import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * Checks proofs of documents against a pinned state root: consensus 5.18. Needs no module and nothing but SHA-256. The lines
 * of the file are described in its head; who pins a root gets it from a checkpoint that seats signed.
 */
final class Proofs {
  private static final int MAX_PROOF_BYTES = 262144;
  private static final int MAX_KEY_BYTES = 33;

  record Leaf(byte[] key, byte[] value) {}

  /** A proof that does not show what it is about. */
  static final class Refused extends Exception {}

  private static byte[] prefixOf(byte[] key, int depth) {
    byte[] prefix = Arrays.copyOf(key, (depth + 1) / 2);
    if (depth % 2 == 1) prefix[prefix.length - 1] &= (byte) 0xf0;
    return prefix;
  }

  /** A part of the tree: the nibbles with which all its keys begin. */
  record Place(int depth, byte[] prefix) {
    boolean holds(byte[] key) {
      return 2 * key.length >= depth && Arrays.equals(prefixOf(key, depth), prefix);
    }

    Place below(int nibble) {
      byte[] longer = Arrays.copyOf(prefix, (depth + 2) / 2);
      longer[depth / 2] |= (byte) (depth % 2 == 0 ? nibble << 4 : nibble);
      return new Place(depth + 1, longer);
    }

    boolean mayHold(byte[] first, byte[] last) {
      byte[] low = Arrays.copyOf(Arrays.copyOf(prefix, Math.min(prefix.length, first.length)), first.length);
      byte[] high = low.clone();
      Arrays.fill(high, Math.min(prefix.length, high.length), high.length, (byte) 0xff);
      if (depth % 2 == 1 && depth / 2 < high.length) high[depth / 2] |= 0x0f;
      return Arrays.compareUnsigned(low, last) <= 0 && Arrays.compareUnsigned(high, first) >= 0;
    }
  }

  private final List<Leaf> leaves = new ArrayList<>();
  private final List<Place> hidden = new ArrayList<>();
  private final ByteBuffer data;

  private Proofs(byte[] proof) {
    data = ByteBuffer.wrap(proof);
  }

  private byte[] take(int count) throws Refused {
    if (count > data.remaining()) throw new Refused();
    byte[] part = new byte[count];
    data.get(part);
    return part;
  }

  private int takeByte() throws Refused {
    return take(1)[0] & 0xff;
  }

  private byte[] node(Place at) throws Exception {
    switch (takeByte()) {
      case 0 -> {
        hidden.add(at);
        return take(32);
      }
      case 1 -> {
        byte[] key = take(takeByte());
        byte[] value = take(32);
        if (key.length > MAX_KEY_BYTES || !at.holds(key)) throw new Refused();
        leaves.add(new Leaf(key, value));
        return hash(new byte[] {0, (byte) key.length}, key, value);
      }
      case 2 -> {
        return branch(at);
      }
      default -> throw new Refused();
    }
  }

  private byte[] branch(Place at) throws Exception {
    int depth = takeByte();
    byte[] prefix = take((depth + 1) / 2);
    byte[] mask = take(2);
    int bits = mask[0] & 0xff | (mask[1] & 0xff) << 8;
    boolean isPlaced = depth >= at.depth && depth < 2 * MAX_KEY_BYTES && at.holds(prefix);
    if (!isPlaced || !Arrays.equals(prefixOf(prefix, depth), prefix) || (bits & bits - 1) == 0) throw new Refused();
    List<byte[]> parts = new ArrayList<>(List.of(new byte[] {1, (byte) depth}, prefix, mask));
    for (int nibble = 0; nibble < 16; nibble++)
      if ((bits & 1 << nibble) != 0) parts.add(node(new Place(depth, prefix).below(nibble)));
    return hash(parts.toArray(new byte[0][]));
  }

  private static byte[] hash(byte[]... parts) throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    for (byte[] part : parts) digest.update(part);
    return digest.digest();
  }

  /** All leaves from first to last under a state root. Throws Refused if that is not what the proof shows. */
  static List<Leaf> proven(byte[] stateRoot, byte[] coreRoot, byte[] first, byte[] last, byte[] proof)
      throws Exception {
    if (proof.length > MAX_PROOF_BYTES) throw new Refused();
    Proofs tree = new Proofs(proof);
    byte[] root = proof.length == 0 ? new byte[32] : tree.node(new Place(0, new byte[0]));
    byte[] name = "VWS-STATE-V2".getBytes(StandardCharsets.US_ASCII);
    if (tree.data.hasRemaining() || !Arrays.equals(hash(name, coreRoot, root), stateRoot)) throw new Refused();
    if (tree.hidden.stream().anyMatch(place -> place.mayHold(first, last))) throw new Refused();
    return tree.leaves.stream()
        .filter(leaf -> Arrays.compareUnsigned(leaf.key, first) >= 0 && Arrays.compareUnsigned(leaf.key, last) <= 0)
        .toList();
  }

  private static String answer(byte[][] words) throws Exception {
    try {
      List<Leaf> leaves = proven(words[0], words[1], words[2], words[3], words[4]);
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      for (Leaf leaf : leaves) {
        all.write(leaf.key);
        all.write(leaf.value);
      }
      return leaves.size() + " " + HexFormat.of().formatHex(hash(all.toByteArray()), 0, 16);
    } catch (Refused refused) {
      return "no";
    }
  }

  static int play(Path file) throws Exception {
    int cases = 0;
    int mismatches = 0;
    for (String line : Files.readAllLines(file)) {
      if (line.startsWith("#")) continue;
      String[] sides = line.split(" = ");
      byte[][] words =
          Arrays.stream(sides[0].split(" ")).map(word -> HexFormat.of().parseHex(word.replace("-", ""))).toArray(byte[][]::new);
      cases++;
      String found = answer(words);
      if (found.equals(sides[1])) continue;
      mismatches++;
      System.err.printf("proof %d: %s, expected %s%n", cases, found, sides[1]);
    }
    System.out.printf("proofs cases=%d mismatches=%d%n", cases, mismatches);
    return mismatches;
  }
}
