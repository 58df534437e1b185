package dev.zarrreactive.cli.output;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.cli.console.Out;
import dev.zarrreactive.cli.console.Quantities;
import java.math.BigInteger;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** The elements of a selection, written in C order. */
public final class ElementOutput {
  /** The most bytes that are read at once of a selection that is written part by part. */
  private static final long BAND_BYTES =
      Math.max(1 << 20, Math.min(64 << 20, Runtime.getRuntime().maxMemory() / 16));

  private final ZarrArray array;
  private final Selection selection;
  private final ResolvedSelection.Orthogonal resolved;
  private final ElementFormat format;

  private ElementOutput(
      ZarrArray array,
      Selection selection,
      ResolvedSelection.Orthogonal resolved,
      ElementFormat format) {
    this.array = array;
    this.selection = selection;
    this.resolved = resolved;
    this.format = format;
  }

  /**
   * Creates the output of the elements of {@code selection}.
   *
   * @throws IllegalArgumentException for a selection that does not fit, or is too large for a
   *     format that needs it whole, and for a data type that the format lacks
   */
  public static ElementOutput of(ZarrArray array, Selection selection, ElementFormat format) {
    ElementOutput output =
        new ElementOutput(
            array,
            selection,
            (ResolvedSelection.Orthogonal)
                selection.resolve(array.shape()), // the notation has orthogonal selections only
            format);
    format.check(array.dataType());
    if (!format.isStreamed()) {
      output.requireMemory(Runtime.getRuntime().maxMemory() / 2);
    }
    return output;
  }

  private void requireMemory(long bytes) {
    BigInteger size =
        resolved.shape().elementCount().multiply(BigInteger.valueOf(array.dataType().memorySize()));
    if (size.compareTo(BigInteger.valueOf(bytes)) > 0) {
      throw new IllegalArgumentException(
          "the selection has "
              + Quantities.bytes(size)
              + ", too much to be shown as text; select less, or stream it with"
              + " --format npy, raw or json");
    }
  }

  /** Writes the elements on {@code writer}, and reads one part ahead. */
  public Mono<Void> writeTo(Out out, Scheduler writer) {
    return Mono.fromRunnable(() -> format.begin(array.dataType(), resolved.shape(), out))
        .subscribeOn(writer)
        .thenMany(parts())
        .publishOn(writer, 1)
        .doOnNext(part -> format.write(part, out))
        .then();
  }

  private Flux<NdArray> parts() {
    return format.isStreamed()
        ? Flux.fromStream(
                () ->
                    BandSelections.of(
                        resolved, array.chunkGrid(), array.dataType().memorySize(), BAND_BYTES))
            .concatMap(array::read, 1)
        : array.read(selection).flux();
  }
}
