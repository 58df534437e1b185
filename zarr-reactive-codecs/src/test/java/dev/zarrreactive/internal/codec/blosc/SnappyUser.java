package dev.zarrreactive.internal.codec.blosc;

import dev.zarrreactive.internal.codec.shuffle.Shuffle;
import java.util.concurrent.Callable;

/** Uses every compressor; loaded by {@link SnappyMissingTest} where snappy-java is not. */
public final class SnappyUser implements Callable<String> {
  @Override
  public String call() {
    byte[] bytes = Samples.steps(5000);
    StringBuilder report = new StringBuilder();
    for (Compressor compressor : Compressor.values()) {
      try {
        int size = Samples.decode(Samples.encode(bytes, compressor, Shuffle.BYTE, 4), 5000).length;
        report.append(compressor.json()).append(": ").append(size).append('\n');
      } catch (RuntimeException e) {
        report.append(compressor.json()).append(": ").append(e).append('\n');
      }
    }
    return report.toString();
  }
}
