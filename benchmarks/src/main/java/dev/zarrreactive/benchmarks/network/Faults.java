package dev.zarrreactive.benchmarks.network;

import dev.zarrreactive.faults.server.Behaviour.Ending;
import dev.zarrreactive.faults.server.Fault;
import dev.zarrreactive.faults.server.ReceivedRequest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The faults of bodies of a known size. */
final class Faults {
  private static final Pattern REST = Pattern.compile("bytes=(\\d+)-\\d*");

  private Faults() {}

  /** Returns a fault that ends a body after its first half, also that of the rest of a chunk. */
  static Fault half(Ending ending, int chunkBytes) {
    return (asked, behaviour) -> behaviour.withEnding(ending, wanted(asked, chunkBytes) / 2);
  }

  private static int wanted(ReceivedRequest asked, int chunkBytes) {
    Matcher rest = REST.matcher(String.valueOf(asked.header("range")));
    return rest.matches() ? chunkBytes - Integer.parseInt(rest.group(1)) : chunkBytes;
  }
}
