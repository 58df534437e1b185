package dev.zarrreactive.interop;

import dev.zarrreactive.error.ZarrException;
import java.util.List;

/**
 * Opens and reads every malformed case. Run in a JVM of its own with a small heap; prints what went
 * wrong, then one figure a line.
 */
final class BadCasesInSmallHeap {
  private BadCasesInSmallHeap() {}

  public static void main(String[] arguments) {
    int refused = 0;
    int accepted = 0;
    int wrong = 0;
    for (Fixture fixture : Fixtures.bad()) {
      Throwable error = Refusal.of(fixture, fixture.inMemory()).error();
      if (error == null) {
        accepted++;
      } else if (error instanceof ZarrException || error instanceof IllegalArgumentException) {
        refused++;
      } else {
        wrong++;
        System.out.println(fixture + ": " + error);
      }
    }
    System.out.println("refused=" + refused);
    System.out.println("accepted=" + accepted);
    System.out.println("wrong=" + wrong);
    System.out.println("heap_mib=" + (Runtime.getRuntime().maxMemory() >> 20));
  }

  static List<String> command() {
    return List.of(
        System.getProperty("java.home") + "/bin/java",
        "-Xmx256m",
        "-cp",
        System.getProperty("java.class.path"),
        BadCasesInSmallHeap.class.getName());
  }
}
