package dev.zarrreactive.internal.codec.pco;

import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;

/** Decodes a whole file of pcodec: a header, chunks of one page each, and a byte 0. */
final class PcoDecoder {
  private static final String MAGIC = "pco!";
  private static final int STANDALONE_VERSION = 3;
  private static final int FORMAT_VERSION = 4;
  private static final int COUNT_BITS = 24;

  private static final int MOST_WINDOW_LOG = 24;

  private final PcoInput in;
  private final PcoNumber number;
  private int version;

  PcoDecoder(PcoInput in, PcoNumber number) {
    this.in = in;
    this.number = number;
  }

  /** Decodes {@code count} numbers to an array. */
  void decode(byte[] array, int count) {
    readHeader();
    int done = 0;
    for (int code = in.small(8); code != 0; code = in.small(8)) {
      if (code != number.code()) {
        throw new CodecException(
            "expected numbers of type " + number + " (" + number.code() + "), found type " + code,
            Location.UNKNOWN);
      }
      int size = in.small(COUNT_BITS) + 1;
      if (size > count - done) {
        throw new CodecException(
            "decodes to more than the expected " + count + " numbers", Location.UNKNOWN);
      }
      decodeChunk(array, done * number.bytes(), size);
      done += size;
    }
    in.requireEnd();
    if (done != count) {
      throw new CodecException(
          "decodes to " + done + " numbers, expected " + count, Location.UNKNOWN);
    }
  }

  private void readHeader() {
    for (int i = 0; i < MAGIC.length(); i++) {
      if (in.small(8) != MAGIC.charAt(i)) {
        throw new CodecException("expected the header of pcodec", Location.UNKNOWN);
      }
    }
    // Before version 2 this byte was the version of the format.
    int standalone = in.small(8);
    if (standalone > STANDALONE_VERSION) {
      throw unknownVersion(standalone);
    }
    if (standalone >= 3) {
      int code = in.small(8);
      if (code != 0 && code != number.code()) {
        throw new CodecException(
            "expected numbers of type " + number + " (" + number.code() + "), found type " + code,
            Location.UNKNOWN);
      }
    }
    if (standalone >= 2) {
      in.bits(in.small(6) + 1); // a hint of the count
      in.align();
      version = in.small(8);
    } else {
      version = standalone;
    }
    if (version > FORMAT_VERSION) {
      throw unknownVersion(version);
    } else if (version == FORMAT_VERSION) {
      in.small(8); // the minor version, which names additions: an unknown one is met where it is
    }
  }

  private static CodecException unknownVersion(int version) {
    return new CodecException(
        "version " + version + " of the format of pcodec is not known here", Location.UNKNOWN);
  }

  private void decodeChunk(byte[] array, int offset, int count) {
    PcoMode mode = PcoMode.read(in, number, version);
    Deltas deltas = readDeltas();
    Bins lookbackBins = null;
    if (deltas.primary() instanceof Differences.Lookback lookback) {
      lookbackBins = Bins.read(in, Integer.SIZE, 1, 1L << lookback.windowLog());
    }
    Bins primaryBins = Bins.read(in, mode.primaryBits(), 0, -1);
    Bins secondaryBins = mode.hasSecondary() ? Bins.read(in, number.bits(), 0, -1) : null;
    in.align();
    if (deltas.primary() instanceof Differences.Convolution convolution) {
      convolution.checkRange(mode.primaryBits());
    }

    LatentVariable lookbacks =
        lookbackBins == null
            ? null
            : new LatentVariable(
                in,
                lookbackBins,
                Differences.NONE,
                Math.max(0, count - deltas.primary().stateCount()));
    LatentVariable primaries = new LatentVariable(in, primaryBins, deltas.primary(), count);
    LatentVariable secondaries =
        secondaryBins == null
            ? null
            : new LatentVariable(in, secondaryBins, deltas.secondary(), count);
    in.align();

    int at = offset;
    for (int done = 0; done < count; done += LatentVariable.BATCH) {
      int size = Math.min(LatentVariable.BATCH, count - done);
      long[] places =
          lookbacks == null
              ? Differences.NO_LOOKBACKS
              : lookbacks.read(in, size, Differences.NO_LOOKBACKS);
      long[] primary = primaries.read(in, size, places);
      long[] secondary = secondaries == null ? primary : secondaries.read(in, size, places);
      mode.join(primary, secondary, size);
      number.put(array, at, primary, size);
      at += size * number.bytes();
    }
    in.align();
  }

  /** The differences of the two variables. */
  private record Deltas(Differences.Of primary, Differences.Of secondary) {
    static Deltas of(Differences.Of deltas, boolean ofSecondary) {
      return new Deltas(deltas, ofSecondary ? deltas : Differences.NONE);
    }
  }

  private Deltas readDeltas() {
    if (version < 3) {
      int order = in.small(3);
      return Deltas.of(order == 0 ? Differences.NONE : new Differences.Consecutive(order), false);
    }
    int kind = in.small(4);
    return switch (kind) {
      case 0 -> Deltas.of(Differences.NONE, false);
      case 1 -> {
        int order = in.small(3);
        if (order == 0) {
          throw PcoInput.damaged("differences of order 0");
        }
        yield Deltas.of(new Differences.Consecutive(order), in.small(1) == 1);
      }
      case 2 -> {
        int windowLog = in.small(5) + 1;
        int stateLog = in.small(4);
        if (windowLog > MOST_WINDOW_LOG || stateLog > windowLog) {
          throw PcoInput.damaged(
              "a window of 2^" + windowLog + " numbers with 2^" + stateLog + " at its beginning");
        }
        yield Deltas.of(new Differences.Lookback(windowLog, stateLog), in.small(1) == 1);
      }
      case 3 -> {
        int quantization = in.small(5);
        long bias = in.bits(64) ^ Long.MIN_VALUE;
        long[] weights = new long[in.small(5) + 1];
        for (int i = 0; i < weights.length; i++) {
          weights[i] = in.small(32) ^ Integer.MIN_VALUE;
        }
        yield Deltas.of(new Differences.Convolution(quantization, bias, weights), false);
      }
      default -> throw PcoInput.damaged("differences of kind " + kind + " are unknown");
    };
  }
}
