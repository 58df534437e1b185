package dev.zarrreactive.dataset;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.selection.Selection;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import reactor.core.publisher.Mono;

/** Values that are calculated of others, and are put into their places as they are there. */
abstract sealed class CalculatedValues implements VariableValues
    permits ComputedValues, AlongValues {
  /** Returns the values at positions of each dimension. */
  abstract CalculatedValues with(List<Axis> axes);

  /** Calculates all values, and puts them into their places. */
  abstract Mono<Void> assemble(PlacedElements whole);

  /** Reads the values at points, an array of one dimension. */
  abstract Mono<NdArray> readPoints(ResolvedSelection.Points points);

  @Override
  public final Mono<NdArray> read(Selection selection) {
    ResolvedSelection resolved = selection.resolve(shape());
    return resolved instanceof ResolvedSelection.Points points
        ? readPoints(points)
        : with(((ResolvedSelection.Orthogonal) resolved).axes()).readAll();
  }

  final Mono<NdArray> readAll() {
    return Mono.defer(
        () -> {
          PlacedElements whole =
              PlacedElements.allocate("of results", dataType(), shape(), location());
          return assemble(whole).then(Mono.fromSupplier(whole::array));
        });
  }

  @Override
  public final Mono<ByteBuffer> readInto(Selection selection, ByteBuffer target) {
    ResolvedSelection resolved = selection.resolve(shape());
    ByteBuffer room = PlacedElements.room(target, dataType(), resolved.shape());
    Mono<?> written =
        resolved instanceof ResolvedSelection.Points points
            ? readPoints(points).doOnNext(values -> values.copyTo(room.duplicate()))
            : with(((ResolvedSelection.Orthogonal) resolved).axes()).assemble(room);
    return written.then(Mono.fromSupplier(() -> room.duplicate().order(ByteOrder.LITTLE_ENDIAN)));
  }

  private Mono<Void> assemble(ByteBuffer room) {
    return assemble(PlacedElements.into(dataType(), shape(), room));
  }
}
