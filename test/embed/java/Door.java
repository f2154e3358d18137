import com.dylibso.chicory.compiler.MachineFactoryCompiler;
import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.runtime.Machine;
import com.dylibso.chicory.wasm.Parser;
import com.dylibso.chicory.wasm.WasmModule;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * A module in Chicory, compiled to Java bytecode: a door answers the questions of ../vectors.txt. Questions and answers:
 * ../README.md; what they call: assembly/README.md.
 */
final class Door {
  /** Bytes that consensus.wasm has written when a call gave n: the first number and n times the second. */
  private static final Map<String, int[]> WRITTEN = Map.of(
      "insert", new int[] {0, 1}, "preview", new int[] {0, 1}, "explain", new int[] {0, 1},
      "figures", new int[] {0, 1}, "timely", new int[] {0, 1}, "snapshot_part", new int[] {0, 1}, "next_block", new int[] {0, 56},
      "block_part", new int[] {56, 36}, "evidence_part", new int[] {0, 72});
  private static final int PAGE_BYTES = 8192;
  private static final HexFormat HEX = HexFormat.of();

  private final String prefix;
  private final WasmModule module;
  private final Function<Instance, Machine> machine;
  private final TreeMap<Integer, byte[]> pages = new TreeMap<>();
  private Instance instance;
  private byte[] config;

  Door(String prefix, Path file) {
    this.prefix = prefix;
    module = Parser.parse(file);
    machine = MachineFactoryCompiler.compile(module);
  }

  /** Bytes are written as x and hex. */
  private static byte[] unhex(String text) {
    return HEX.parseHex(text, 1, text.length());
  }

  static String show(byte[] bytes) throws Exception {
    if (bytes.length <= 64) return HEX.formatHex(bytes);
    return HEX.formatHex(MessageDigest.getInstance("SHA-256").digest(bytes), 0, 16);
  }

  private void open() {
    instance = Instance.builder(module).withMachineFactory(machine).build();
  }

  private int call(String name, long... args) {
    long[] results = instance.export(prefix + "_" + name).apply(args);
    return results == null || results.length == 0 ? 0 : (int) results[0];
  }

  private long put(byte[] bytes) {
    instance.memory().write(call("in_ptr"), bytes);
    return bytes.length;
  }

  String answer(String verb, List<String> args) throws Exception {
    if (verb.equals("new")) return fresh(args);
    if (verb.equals("reload")) return reload();
    if (verb.equals("load")) return load(args);
    if (verb.equals("init")) config = unhex(args.get(0));
    long[] values = new long[args.size()];
    for (int i = 0; i < values.length; i++) {
      String arg = args.get(i);
      values[i] = arg.startsWith("x") ? put(unhex(arg)) : Long.parseLong(arg);
    }
    // The input of an explanation has one length only.
    int result = call(verb, verb.equals("explain") ? new long[0] : values);
    int[] size = WRITTEN.getOrDefault(verb, new int[2]);
    int length = prefix.equals("core") ? call("out_len") : size[0] + size[1] * result;
    if (result < 0 || length == 0) return "" + result;
    byte[] out = instance.memory().readBytes(call("out_ptr"), length);
    if (verb.equals("dirty")) keep(out);
    return result + ":" + show(out);
  }

  /** A new instance; that of ed25519.wasm takes 16 random bytes. */
  private String fresh(List<String> random) {
    open();
    pages.clear();
    if (!random.isEmpty()) {
      instance.memory().write(call("jobs_ptr"), unhex(random.get(0)));
      call("init");
    }
    return "" + call("abi_version");
  }

  /** Where a page of the state is. */
  private int page(int number) {
    return call("state_ptr") + PAGE_BYTES * number;
  }

  /** The last page may be shorter. */
  private void keep(byte[] out) {
    for (int at = 0; at < out.length; at += 4) {
      int number = ByteBuffer.wrap(out).order(ByteOrder.LITTLE_ENDIAN).getInt(at);
      int length = Math.min(PAGE_BYTES, call("state_bytes") - PAGE_BYTES * number);
      pages.put(number, instance.memory().readBytes(page(number), length));
    }
  }

  /** A new core, as it is after the import of all pages that are not zero. */
  private String reload() throws Exception {
    open();
    int code = call("init", put(config)) | call("import", 0);
    pages.values().removeIf(page -> Arrays.equals(page, new byte[page.length]));
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (Map.Entry<Integer, byte[]> page : pages.entrySet()) {
      byte[] name = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(page.getKey()).array();
      all.writeBytes(name);
      all.writeBytes(page.getValue());
      instance.memory().write(page(page.getKey()), page.getValue());
      put(name);
      code |= call("import", 1);
    }
    return (code | call("import_end", 0)) + ":" + show(all.toByteArray());
  }

  private String load(List<String> jobs) {
    int from = 0;
    for (int i = 0; i < jobs.size(); i++) {
      byte[] job = unhex(jobs.get(i));
      int length = job.length - 112;
      ByteBuffer head = ByteBuffer.allocate(120).order(ByteOrder.LITTLE_ENDIAN).put(job, 0, 112);
      instance.memory().write(call("jobs_ptr") + 128 * i, head.putInt(from).putInt(length).array());
      instance.memory().write(call("messages_ptr") + from, Arrays.copyOfRange(job, 112, job.length));
      from += length;
    }
    return "" + call("load", jobs.size());
  }
}
