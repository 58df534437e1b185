package dev.zarrreactive.internal.codec.pco;

/** How a number follows from its latent numbers. */
interface PcoMode {
  /** Returns the latent number of the number itself. */
  long join(long primary, long secondary);

  /** Replaces the first variable's latent numbers by those of the numbers themselves. */
  default void join(long[] primary, long[] secondary, int count) {
    for (int i = 0; i < count; i++) {
      primary[i] = join(primary[i], secondary[i]);
    }
  }

  /** Returns true if there is a second variable. */
  boolean hasSecondary();

  /** Returns the bits of the first variable. */
  int primaryBits();

  /** The mode whose one variable is the numbers. */
  record Classic(int primaryBits) implements PcoMode {
    @Override
    public long join(long primary, long secondary) {
      return primary;
    }

    @Override
    public void join(long[] primary, long[] secondary, int count) {
      // they are the numbers'
    }

    @Override
    public boolean hasSecondary() {
      return false;
    }
  }

  /** A mode with two variables of the numbers' width. */
  record Pair(int primaryBits, Joining joining) implements PcoMode {
    @Override
    public long join(long primary, long secondary) {
      return joining.join(primary, secondary);
    }

    @Override
    public boolean hasSecondary() {
      return true;
    }
  }

  /** A mode with one variable. */
  record Single(int primaryBits, Joining joining) implements PcoMode {
    @Override
    public long join(long primary, long secondary) {
      return joining.join(primary, secondary);
    }

    @Override
    public boolean hasSecondary() {
      return false;
    }
  }

  /** The formula of a mode. */
  @FunctionalInterface
  interface Joining {
    long join(long primary, long secondary);
  }

  int INDEX_BITS = 32;
  int BITS = 4;
  int QUANTIZATION_BITS = 8;
  int DICTIONARY_BITS = 25;

  /** Reads the mode of a chunk. */
  static PcoMode read(PcoInput in, PcoNumber number, int version) {
    int bits = number.bits();
    long mask = number.mask();
    int mode = in.small(BITS);
    if ((mode == 1 && number.isFloat()) || ((mode == 2 || mode == 3) && !number.isFloat())) {
      throw PcoInput.damaged("mode " + mode + " is not for " + number);
    }
    return switch (mode) {
      case 0 -> new Classic(bits);
      case 1 -> {
        if (version == 0) {
          throw PcoInput.damaged("a file of version 0 of the format has no multiples");
        }
        long base = in.bits(bits);
        if (base == 0) {
          throw PcoInput.damaged("multiples of 0");
        }
        yield new Pair(bits, (primary, secondary) -> (primary * base + secondary) & mask);
      }
      case 2 -> {
        long base = number.base(in.bits(bits));
        long middle = number.middle();
        yield new Pair(
            bits,
            (primary, secondary) -> (number.multiple(primary, base) + secondary + middle) & mask);
      }
      case 3 -> quantized(in.small(QUANTIZATION_BITS), number);
      case 4 -> dictionary(in, number);
      default -> throw PcoInput.damaged("mode " + mode + " is unknown");
    };
  }

  private static PcoMode quantized(int lost, PcoNumber number) {
    if (lost < 1 || lost > number.mantissaBits()) {
      throw PcoInput.damaged("floats without their last " + lost + " bits");
    }
    long mask = number.mask();
    long positive = number.middle() >>> lost;
    long most = PcoNumber.mask(lost);
    return new Pair(
        number.bits(),
        (primary, secondary) -> {
          boolean isPositive = Long.compareUnsigned(primary, positive) >= 0;
          return ((primary << lost) + (isPositive ? secondary : most - secondary)) & mask;
        });
  }

  private static PcoMode dictionary(PcoInput in, PcoNumber number) {
    int size = in.small(DICTIONARY_BITS);
    in.align();
    in.require((long) size * number.bits());
    long[] values = new long[size];
    for (int i = 0; i < size; i++) {
      values[i] = in.bits(number.bits());
    }
    return new Single(
        INDEX_BITS,
        (primary, secondary) -> {
          if (primary >= values.length) {
            throw PcoInput.damaged(
                "value " + primary + " of a dictionary of " + values.length + " values");
          }
          return values[(int) primary];
        });
  }
}
