package dev.zarrreactive.cli.check;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.cf.CfDecoding;
import dev.zarrreactive.cf.CfRule;
import dev.zarrreactive.cf.TimeCoding;
import dev.zarrreactive.dataset.Variable;
import dev.zarrreactive.datatype.Datetime64Type;
import dev.zarrreactive.datatype.TimeType;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.metadata.DimensionNames;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Looks for a coordinate of times that steps back, as an append of counts since another date leaves
 * it. Times that only fall are in order, too.
 */
final class CoordinateCheck {
  /** The most elements that are read where chunks are not checked. */
  private static final long MOST = 1 << 20;

  private static final long BLOCK = 1 << 18;

  private final ZarrArray array;
  private final CfDecoding decoding;
  private long place;
  private long before = TimeType.NAT;
  private boolean hasRisen;
  private boolean hasFallen;
  private String step = "";

  private CoordinateCheck(ZarrArray array, CfDecoding decoding) {
    this.array = array;
    this.decoding = decoding;
  }

  /** Emits a warning of an array; empty for one that is no coordinate of times, or in order. */
  static Mono<String> of(ZarrArray array, boolean withData) {
    if (array.shape().rank() != 1
        || (!withData && array.shape().extent(0) > MOST)
        || !isCoordinate(array)) {
      return Mono.empty();
    }
    CfDecoding decoding = Variable.of(array, List.of(), CfRule.all()).decoding();
    boolean hasDates =
        decoding.times().flatMap(TimeCoding::calendar).isPresent()
            || decoding.dataType() instanceof Datetime64Type;
    return decoding.isReadable() && hasDates
        ? Mono.defer(() -> new CoordinateCheck(array, decoding).warning())
            .onErrorResume(ZarrException.class, error -> Mono.empty())
        : Mono.empty();
  }

  private static boolean isCoordinate(ZarrArray array) {
    String name = array.path().name();
    String dimension = DimensionNames.of(array.metadata()).names().get(0);
    return name.equals(dimension) || (array.path().isRoot() && dimension != null);
  }

  private Mono<String> warning() {
    long extent = array.shape().extent(0);
    return Flux.fromStream(
            () -> LongStream.iterate(0, from -> from < extent, from -> from + BLOCK).boxed())
        .concatMap(
            from ->
                decoding.read(
                    array,
                    Selection.of(DimensionSelection.slice(from, Math.min(extent, from + BLOCK)))),
            0)
        .doOnNext(this::look)
        .takeUntil(times -> hasRisen && hasFallen)
        .then(Mono.defer(() -> Mono.justOrEmpty(found())));
  }

  private void look(NdArray times) {
    for (long time : times.toLongArray()) {
      if (time != TimeType.NAT) {
        if (before != TimeType.NAT) {
          compare(time);
        }
        before = time;
      }
      place++;
    }
  }

  /** Keeps the first step against the direction of the first one. */
  private void compare(long time) {
    boolean turns = (time > before && hasFallen) || (time < before && hasRisen);
    if (turns && step.isEmpty()) {
      step = text(time) + " at [" + place + "] follows " + text(before);
    }
    hasRisen |= time > before;
    hasFallen |= time < before;
  }

  private String text(long time) {
    if (decoding.dataType() instanceof TimeType type) {
      return type.toText(time);
    }
    return decoding.times().map(times -> times.text(time)).orElse(Long.toString(time));
  }

  private Optional<String> found() {
    return step.isEmpty()
        ? Optional.empty()
        : Optional.of(array.path() + ": the times step back and forth: " + step);
  }
}
