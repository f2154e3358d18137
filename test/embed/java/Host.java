import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Runs the vectors on the modules and compares the answers: java Host &lt;vectors&gt; &lt;folder of modules&gt; [rounds], or metered
 * programs: java Host --programs &lt;file&gt;, or proofs of documents: java Host --proofs &lt;file&gt;
 */
final class Host {
  private static double since(long started) {
    return (System.nanoTime() - started) / 1e6;
  }

  private static int play(String name, List<String[]> cases, Path folder, int rounds) throws Exception {
    long started = System.nanoTime();
    Door door = new Door(name.split("[.-]")[0], folder.resolve(name));
    double loadMs = since(started);
    double runMs = Double.MAX_VALUE;
    int mismatches = 0;
    for (int round = 0; round < rounds; round++) {
      long begun = System.nanoTime();
      for (String[] line : cases) {
        List<String> words = Arrays.asList(line[0].split(" "));
        String answer = door.answer(words.get(0), words.subList(1, words.size()));
        if (answer.equals(line[1])) continue;
        mismatches++;
        System.err.printf("%s: %.60s: %s, expected %s%n", name, line[0], answer, line[1]);
      }
      runMs = Math.min(runMs, since(begun));
    }
    String times = String.format(Locale.ROOT, "load_ms=%.1f run_ms=%.1f", loadMs, runMs);
    System.out.printf("%s cases=%d mismatches=%d %s%n", name, cases.size(), mismatches, times);
    return mismatches;
  }

  public static void main(String[] args) throws Exception {
    if (args[0].equals("--programs")) System.exit(Programs.play(Path.of(args[1])) > 0 ? 1 : 0);
    if (args[0].equals("--proofs")) System.exit(Proofs.play(Path.of(args[1])) > 0 ? 1 : 0);
    int rounds = args.length > 2 ? Integer.parseInt(args[2]) : 1;
    int bad = 0;
    String[] sections = Files.readString(Path.of(args[0])).split("\nmodule ");
    for (String section : Arrays.asList(sections).subList(1, sections.length)) {
      List<String> lines = section.lines().toList();
      List<String[]> cases =
          lines.stream().filter(line -> line.contains(" = ")).map(line -> line.split(" = ")).toList();
      for (String name : lines.get(0).split(" ")) {
        // The compiler knows no vector instructions; the scalar builds give the same answers.
        boolean hasVectors = name.equals("core.wasm") || name.equals("ed25519.wasm");
        if (hasVectors) System.out.println(name + " skipped: no SIMD in the compiler of this runtime");
        else bad += play(name, cases, Path.of(args[1]), rounds);
      }
    }
    System.exit(bad > 0 ? 1 : 0);
  }
}
