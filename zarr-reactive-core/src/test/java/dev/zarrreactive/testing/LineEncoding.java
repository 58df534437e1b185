package dev.zarrreactive.testing;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.encoding.Encoder;
import dev.zarrreactive.encoding.Encoding;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.ArrayMetadata;

/** A format of text: each element on a line of its own. */
public record LineEncoding() implements Encoding {
  @Override
  public String mediaType() {
    return "text/plain";
  }

  @Override
  public String fileSuffix() {
    return ".txt";
  }

  @Override
  public Encoder encoder(ArrayMetadata array, ResolvedSelection selection) {
    return (band, from, size) -> {
      StringBuilder lines = new StringBuilder();
      int next = from;
      long count = band.shape().elementCountUpTo(Integer.MAX_VALUE);
      String line = line(band, next);
      do {
        lines.append(line);
        next++;
        line = next < count ? line(band, next) : "";
      } while (next < count && lines.length() + line.length() <= size);
      return new Encoder.Part(Bytes.utf8(lines.toString()), next);
    };
  }

  private static String line(NdArray band, int element) {
    JsonValue value = band.toJson(element);
    return (value instanceof JsonString text ? text.value() : value) + "\n";
  }
}
