import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.wasm.ChicoryException;
import com.dylibso.chicory.wasm.Parser;
import com.dylibso.chicory.wasm.WasmModule;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;

/**
 * Runs metered programs in Chicory's interpreter and compares how they end: protocol 14.2, 14.5 and 14.6. The lines of the
 * file are described in ../js/programs.mjs.
 */
final class Programs {
  /** By the stop global: what a trap means. */
  private static final String[] ENDS = {"trapped", "out_of_fuel", "out_of_stack", "unreachable"};
  private static final long PAGE_BYTES = 65_536;
  private static final long MAX_OUTPUT_BYTES = 1_048_576;
  private static final HexFormat HEX = HexFormat.of();

  private Programs() {}

  private static boolean hasStart(WasmModule module) {
    for (int i = 0; i < module.exportSection().exportCount(); i++) {
      if (module.exportSection().getExport(i).name().equals("vws_start")) return true;
    }
    return false;
  }

  /** The output; null if the program names bytes that are not its own. */
  private static byte[] call(Instance instance, boolean hasStart, byte[] input) {
    if (hasStart) instance.export("vws_start").apply();
    long size = instance.memory().pages() * PAGE_BYTES;
    int at = (int) instance.export("vws_input").apply(input.length)[0];
    if (Integer.toUnsignedLong(at) + input.length > size) return null;
    instance.memory().write(at, input);
    long range = instance.export("vws_run").apply(at, input.length)[0];
    long from = range >>> 32;
    long length = range & 0xffff_ffffL;
    if (from + length > size || length > MAX_OUTPUT_BYTES) return null;
    return instance.memory().readBytes((int) from, (int) length);
  }

  private static String answer(byte[] code, int fuel, byte[] input) throws Exception {
    WasmModule module = Parser.parse(code);
    Instance instance = Instance.builder(module).build();
    var counter = instance.exports().global("vws_fuel");
    counter.setValue(fuel);
    byte[] output;
    try {
      output = call(instance, hasStart(module), input);
    } catch (ChicoryException trap) {
      int stop = (int) instance.exports().global("vws_stop").getValue();
      return ENDS[stop] + " " + used(fuel, (int) counter.getValue()) + " ";
    }
    int used = used(fuel, (int) counter.getValue());
    return output == null ? "bad_range " + used + " " : "returned " + used + " " + Door.show(output);
  }

  private static int used(int fuel, int left) {
    return Math.min(fuel, fuel - left);
  }

  /** Prints cases, mismatches and a digest of all answers; how many mismatches. */
  static int play(Path file) throws Exception {
    int cases = 0;
    int mismatches = 0;
    StringBuilder answers = new StringBuilder();
    for (String line : Files.readAllLines(file)) {
      int at = line.indexOf(" = ");
      if (at < 0) continue;
      String[] words = line.substring(0, at).split(" ");
      String expected = line.substring(at + 3);
      String answer = answer(HEX.parseHex(words[0]), Integer.parseInt(words[1]), HEX.parseHex(words[2]));
      answers.append(answer).append('\n');
      if (!answer.equals(expected)) {
        mismatches++;
        System.err.printf("program %d: %s, expected %s%n", cases, answer, expected);
      }
      cases++;
    }
    String digest = Door.show(answers.toString().getBytes(StandardCharsets.UTF_8));
    System.out.printf("programs cases=%d mismatches=%d answers=%s%n", cases, mismatches, digest);
    return mismatches;
  }
}
