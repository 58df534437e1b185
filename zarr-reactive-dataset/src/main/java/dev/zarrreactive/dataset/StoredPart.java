package dev.zarrreactive.dataset;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNull;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.metadata.DimensionNames;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The stored elements of a variable, or of a part of one, which another dataset gets. */
final class StoredPart {
  private final Variable variable;
  private final List<DimensionPart> parts;

  StoredPart(Variable variable) {
    this.variable = variable.raw();
    this.parts = variable.stored().parts();
  }

  /**
   * Returns the metadata of the copy.
   *
   * @param others attributes that the dataset adds
   */
  ArrayMetadata metadata(int zarrFormat, JsonObject others) {
    ArrayMetadata source = variable.array().metadata();
    if (source.zarrFormat() != zarrFormat) {
      throw new IllegalArgumentException(
          "it is stored in Zarr v"
              + source.zarrFormat()
              + "; write the dataset in this format, and convert it with ZarrCopy");
    }
    ArrayMetadataBuilder array = layout(source);
    JsonObject attributes = variable.attributes();
    for (Map.Entry<String, JsonValue> other : others.members().entrySet()) {
      attributes = attributes.with(other.getKey(), other.getValue());
    }
    List<String> names = variable.dimensions();
    return zarrFormat == 3
        ? array.attributes(attributes).dimensionNames(names.toArray(String[]::new)).build()
        : array
            .attributes(
                attributes.with(
                    DimensionNames.ATTRIBUTE,
                    new JsonArray(names.stream().<JsonValue>map(JsonString::new).toList())))
            .build();
  }

  private ArrayMetadataBuilder layout(ArrayMetadata source) {
    Shape shape = variable.shape();
    boolean isRegular = source.chunkGrid().name().equals("regular");
    if (isRegular && shape.rank() == parts.size()) {
      return ArrayMetadata.like(source).shape(shape);
    }
    ArrayMetadataBuilder array =
        ArrayMetadata.v3(shape, source.dataType())
            .zarrFormat(source.zarrFormat())
            .fillValue(source.fillValue());
    if (isRegular) {
      Shape chunk = variable.array().chunkGrid().largestChunkShape();
      array.chunkShape(
          IntStream.range(0, parts.size())
              .filter(d -> !parts.get(d).isDropped())
              .mapToLong(d -> Math.max(1, Math.min(chunk.extent(d), parts.get(d).size())))
              .toArray());
    }
    return source.zarrFormat() == 2 && source.document().get("fill_value") == JsonNull.NULL
        ? array.noFillValue()
        : array;
  }

  /** Copies the elements. Each stored chunk is read once, unless lists of indices choose rows. */
  Mono<Void> copyTo(ZarrArray target) {
    if (target.shape().rank() == 0) {
      return variable.read().flatMap(scalar -> target.write(Selection.all(), scalar));
    }
    boolean areRanges = parts.stream().allMatch(part -> part.axis() instanceof Axis.Range);
    return areRanges
        ? target.write(variable.chunks().map(this::moved))
        : Concurrently.map(chunks(target), 4, box -> copyBox(box, target)).then();
  }

  private Mono<Void> copyBox(Selection box, ZarrArray target) {
    return variable.read(box).flatMap(elements -> target.write(box, elements));
  }

  /** Returns a chunk of the stored array at its place in the part. */
  private Chunk moved(Chunk chunk) {
    List<Axis> stored = ((ResolvedSelection.Orthogonal) chunk.selection()).axes();
    List<Axis> axes = new ArrayList<>();
    for (int d = 0; d < stored.size(); d++) {
      Axis.Range whole = (Axis.Range) parts.get(d).axis();
      if (!whole.dropped()) {
        Axis.Range part = (Axis.Range) stored.get(d);
        long from = (part.start() - whole.start()) / whole.step();
        axes.add(new Axis.Range(from, part.count(), part.step() / whole.step(), false));
      }
    }
    return new Chunk(new long[axes.size()], new ResolvedSelection.Orthogonal(axes), chunk.data());
  }

  /** Returns the places of the target's chunks, in C order. */
  private static Flux<Selection> chunks(ZarrArray target) {
    Shape shape = target.shape();
    Shape chunk = target.chunkGrid().largestChunkShape();
    return Flux.generate(
        () -> new long[shape.rank()],
        (start, sink) -> {
          if (start[0] >= shape.extent(0)) {
            sink.complete();
            return start;
          }
          DimensionSelection[] box = new DimensionSelection[start.length];
          Arrays.setAll(
              box,
              d ->
                  DimensionSelection.slice(
                      start[d], Math.min(shape.extent(d), start[d] + chunk.extent(d))));
          sink.next(Selection.of(box));
          return next(start, shape, chunk);
        });
  }

  private static long[] next(long[] start, Shape shape, Shape chunk) {
    long[] next = start.clone();
    for (int d = next.length - 1; d >= 0; d--) {
      next[d] += chunk.extent(d);
      if (next[d] < shape.extent(d) || d == 0) {
        return next;
      }
      next[d] = 0;
    }
    return next;
  }
}
