package dev.zarrreactive.jackson;

import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.encoding.Encoder;
import dev.zarrreactive.encodings.Encodings;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.ArrayMetadata;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * A chunk as JSON: {@code index} in the chunk grid, {@code inner_index} of an inner chunk in its
 * shard, {@code selection} of the array, {@code shape}, and {@code values} in lists.
 */
public final class ChunkDocument {
  private static final int PIECE = 64 << 10;

  private ChunkDocument() {}

  /** Returns the whole document. */
  public static JsonObject of(Chunk chunk) {
    return head(chunk).with("values", values(chunk.data()));
  }

  /** Returns the document without {@code values}. */
  public static JsonObject head(Chunk chunk) {
    JsonObject head = JsonObject.EMPTY.with("index", JsonArray.ofIntegers(chunk.index()));
    long[] inner = chunk.innerIndex();
    if (inner != null) {
      head = head.with("inner_index", JsonArray.ofIntegers(inner));
    }
    return head.with("selection", chunk.selection().toString())
        .with("shape", JsonArray.ofIntegers(chunk.data().shape().toArray()));
  }

  /** Returns elements as lists in lists, as {@link Encodings#json} has them. */
  static JsonValue values(NdArray data) {
    ArrayMetadata described = ArrayMetadata.v3(data.shape(), data.dataType()).build();
    Encoder encoder = Encodings.json().encoder(described, Selection.all().resolve(data.shape()));
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    text.writeBytes(encoder.begin().toByteArray());
    int count = (int) data.shape().elementCountUpTo(Integer.MAX_VALUE);
    int from = 0;
    while (from < count) {
      Encoder.Part part = encoder.encode(data, from, PIECE);
      text.writeBytes(part.bytes().toByteArray());
      from = part.next();
    }
    text.writeBytes(encoder.end().toByteArray());
    return JsonValue.parse(text.toString(StandardCharsets.UTF_8));
  }
}
