package dev.zarrreactive.cli.output;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.cf.CfDecoding;
import dev.zarrreactive.cf.CfRule;
import dev.zarrreactive.cli.console.Out;
import dev.zarrreactive.cli.console.Quantities;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.encoding.Encoding;
import dev.zarrreactive.encodings.GreyScale;
import dev.zarrreactive.error.UnsupportedFeatureException;
import java.math.BigInteger;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** The elements of a selection, written in C order. */
public final class ElementOutput {
  private static final int PIECE_SIZE = 1 << 16;
  private static final int PIECES_AHEAD = 4;

  private final ZarrArray array;
  private final Selection selection;
  private final CfDecoding decoding;
  private final @Nullable Encoding encoding;

  private ElementOutput(
      ZarrArray array, Selection selection, CfDecoding decoding, @Nullable Encoding encoding) {
    this.array = array;
    this.selection = selection;
    this.decoding = decoding;
    this.encoding = encoding;
  }

  /**
   * Creates the output of the elements of {@code selection}.
   *
   * @param scale the greys of a picture; null for exact values
   * @throws IllegalArgumentException for a selection that does not fit, or is too large for a
   *     format that needs it whole, and for a data type that the format lacks
   */
  public static ElementOutput of(
      ZarrArray array, Selection selection, ElementFormat format, @Nullable GreyScale scale) {
    CfDecoding stored = CfDecoding.of(array.metadata(), array.attributes(), Set.of(), false);
    return of(array, new CfOptions.Part(stored, selection, false), format, scale);
  }

  /** Creates the output as the other method does, of elements that are decoded. */
  static ElementOutput of(
      ZarrArray array, CfOptions.Part part, ElementFormat format, @Nullable GreyScale scale) {
    CfDecoding decoding = part.decoding();
    Selection selection = part.selection();
    Shape shape = selection.resolve(array.shape()).shape();
    if (!format.isStreamed()) {
      ElementOutput text = new ElementOutput(array, selection, decoding, null);
      if (text.corners().isEmpty()) {
        requireMemory(array, shape, Runtime.getRuntime().maxMemory() / 2);
      }
      return text;
    }
    if (format.isBinary() && decoding.dataType() instanceof VariableLengthType) {
      throw new IllegalArgumentException(
          "elements of "
              + decoding.dataType()
              + " have no fixed size, as --format "
              + format
              + " needs; use --format json or csv");
    }
    Encoding encoding = decoding.before(format.encoding(scale), !format.isBinary());
    if (format == ElementFormat.PNG && scale == null) {
      checkExact(array, selection.resolve(array.shape()), encoding);
    }
    return new ElementOutput(array, selection, decoding, encoding);
  }

  private static void checkExact(ZarrArray array, ResolvedSelection selection, Encoding encoding) {
    try {
      encoding.encoder(array.metadata(), selection);
    } catch (UnsupportedFeatureException e) {
      throw new IllegalArgumentException(
          e.statement() + "; --range 0:1 gives the values that are black and white", e);
    }
  }

  private static void requireMemory(ZarrArray array, Shape shape, long bytes) {
    BigInteger size =
        shape.elementCount().multiply(BigInteger.valueOf(array.dataType().memorySize()));
    if (size.compareTo(BigInteger.valueOf(bytes)) > 0) {
      throw new IllegalArgumentException(
          "the selection has "
              + Quantities.bytes(size)
              + ", too much to be shown as text; select less, or stream it with"
              + " --format npy, raw, json or csv");
    }
  }

  /** Returns the bytes that are written; negative if they are unknown. */
  long length() {
    return encoding == null ? -1 : encoding.length(array.metadata(), selection).orElse(-1);
  }

  /** Returns what text shows of many elements; empty for few, and for characters to be joined. */
  private Optional<Corners> corners() {
    return decoding.rules().contains(CfRule.TEXT)
        ? Optional.empty()
        : Corners.of(selection, array.shape());
  }

  /** Writes the elements on {@code writer}. */
  public Mono<Void> writeTo(Out out, Scheduler writer) {
    return writeTo(out, writer, bytes -> {});
  }

  /** Writes the elements on {@code writer}, and tells the bytes of each piece. */
  Mono<Void> writeTo(Out out, Scheduler writer, LongConsumer onPiece) {
    if (encoding == null) {
      Optional<Corners> corners = corners();
      return decoding
          .read(array, corners.map(Corners::selection).orElse(selection))
          .map(decoding::withDatesAsText)
          .publishOn(writer)
          .doOnNext(
              elements ->
                  out.println(
                      corners.map(each -> each.text(elements)).orElseGet(elements::toString)))
          .then();
    }
    return array
        .encode(selection, encoding, PIECE_SIZE)
        .publishOn(writer, PIECES_AHEAD)
        .doOnNext(out::write)
        .doOnNext(piece -> onPiece.accept(piece.size()))
        .then();
  }
}
