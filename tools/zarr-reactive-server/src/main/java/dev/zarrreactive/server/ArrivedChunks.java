package dev.zarrreactive.server;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.dataset.Variable;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.VariableLengthType;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import reactor.core.publisher.Flux;

/**
 * A slice as frames, one for the part of each chunk, in the order in which the chunks arrive. A
 * frame has, for each dimension of the slice, the first index in the slice and the count, as
 * little-endian integers of 32 bits; then the elements in C order, as in the format {@code raw}.
 */
final class ArrivedChunks {
  /** The name of the format. */
  static final String FORMAT = "chunks";

  /**
   * The most bytes of a slice in this format. A chunk that a client has not taken does not count in
   * the bytes in flight, and a slice of one chunk may be as large as the slice.
   */
  static final long MOST = 32 << 20;

  private final Variable variable;
  private final List<Axis.Range> ranges;
  private final BigInteger bytes;

  private ArrivedChunks(Variable variable, List<Axis.Range> ranges, BigInteger bytes) {
    this.variable = variable;
    this.ranges = ranges;
    this.bytes = bytes;
  }

  /**
   * Returns the frames of a selection of ranges.
   *
   * @throws IllegalArgumentException for lists of indices, and for elements of variable length
   */
  static ArrivedChunks of(Variable variable, ResolvedSelection selection) {
    DataType type = variable.decoding().dataType();
    List<Axis.Range> ranges = ranges(selection);
    if (type instanceof VariableLengthType || variable.decoding().joinsCharacters()) {
      throw new IllegalArgumentException(
          "the format chunks is for elements of one length, not for " + type);
    }
    return new ArrivedChunks(
        variable,
        ranges,
        selection.shape().elementCount().multiply(BigInteger.valueOf(type.itemSize())));
  }

  private static List<Axis.Range> ranges(ResolvedSelection selection) {
    List<Axis.Range> ranges = new ArrayList<>();
    if (selection instanceof ResolvedSelection.Orthogonal all) {
      for (Axis axis : all.axes()) {
        if (axis instanceof Axis.Range range) {
          ranges.add(range);
        }
      }
      if (ranges.size() == all.axes().size()) {
        return ranges;
      }
    }
    throw new IllegalArgumentException("the format chunks is of ranges, not of lists of indices");
  }

  /** Returns the bytes of all elements. */
  BigInteger bytes() {
    return bytes;
  }

  /** Reads the chunks, and emits their frames in pieces of at most so many bytes. */
  Flux<Bytes> pieces(Selection wanted, int pieceSize) {
    return variable
        .decoding()
        .chunks(variable.array(), variable.storedSelection(wanted))
        .concatMapIterable(chunk -> pieces(chunk, pieceSize), 1);
  }

  private List<Bytes> pieces(Chunk chunk, int pieceSize) {
    List<Axis.Range> its = ranges(chunk.selection());
    ByteBuffer head = ByteBuffer.allocate(2 * Integer.BYTES * ranges.size());
    head.order(ByteOrder.LITTLE_ENDIAN);
    for (int d = 0; d < its.size(); d++) {
      Axis.Range of = ranges.get(d);
      if (!of.dropped()) {
        head.putInt(Math.toIntExact((its.get(d).start() - of.start()) / of.step()));
        head.putInt(Math.toIntExact(its.get(d).count()));
      }
    }
    List<Bytes> pieces = new ArrayList<>();
    if (head.position() > 0) {
      pieces.add(Bytes.copyOf(head.flip()));
    }
    Bytes elements = chunk.data().bytes();
    for (int at = 0; at < elements.size(); at += pieceSize) {
      pieces.add(elements.slice(at, Math.min(pieceSize, elements.size() - at)));
    }
    return pieces;
  }
}
