package dev.zarrreactive.encodings;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.datatype.IntegerType;

/** Makes the samples of a picture of elements. */
abstract class PngSamples {
  private static final byte OPAQUE = (byte) 255;
  private static final int WHITE = 255;

  /** The values of {@code uint8}. */
  static final PngSamples UINT8 =
      new PngSamples(Byte.SIZE, false, false) {
        @Override
        void put(NdArray band, int from, int count, byte[] samples) {
          band.bytes().copyTo(from, samples, 0, count);
        }
      };

  /** The values of {@code uint16}, big-endian. */
  static final PngSamples UINT16 =
      new PngSamples(Short.SIZE, false, false) {
        @Override
        void put(NdArray band, int from, int count, byte[] samples) {
          Bytes images = band.bytes();
          for (int i = 0; i < count; i++) {
            samples[2 * i] = images.get(2 * (from + i) + 1);
            samples[2 * i + 1] = images.get(2 * (from + i));
          }
        }
      };

  /** False is black and true is white. */
  static final PngSamples BLACK_AND_WHITE =
      new PngSamples(Byte.SIZE, false, false) {
        @Override
        void put(NdArray band, int from, int count, byte[] samples) {
          for (int i = 0; i < count; i++) {
            samples[i] = (byte) (band.bytes().get(from + i) == 0 ? 0 : 255);
          }
        }
      };

  private final int depth;
  private final boolean hasAlpha;
  private final boolean isColoured;

  private PngSamples(int depth, boolean hasAlpha, boolean isColoured) {
    this.depth = depth;
    this.hasAlpha = hasAlpha;
    this.isColoured = isColoured;
  }

  /** Returns greys, with an alpha channel where elements may be transparent. */
  static PngSamples grey(GreyScale scale, DataType type, FillValue fill) {
    boolean hasAlpha = type instanceof FloatType || scale.hidesFill();
    return new PngSamples(Byte.SIZE, hasAlpha, false) {
      @Override
      void put(NdArray band, int from, int count, byte[] samples) {
        NdArray flat = band.reshape(Shape.of(count(band)));
        int at = 0;
        for (int element = from; element < from + count; element++) {
          double value = value(type, flat, element);
          boolean isHidden =
              Double.isNaN(value) || (scale.hidesFill() && isFill(type, fill, band, element));
          samples[at++] = (byte) (isHidden ? 0 : level(scale, value));
          if (hasAlpha) {
            samples[at++] = isHidden ? 0 : OPAQUE;
          }
        }
      }
    };
  }

  /** Returns the colours of a map, with an alpha channel where elements may be transparent. */
  static PngSamples coloured(ColourScale scale, DataType type, FillValue fill) {
    boolean hasAlpha = type instanceof FloatType || scale.hidesFill();
    return new PngSamples(Byte.SIZE, hasAlpha, true) {
      @Override
      void put(NdArray band, int from, int count, byte[] samples) {
        NdArray flat = band.reshape(Shape.of(count(band)));
        int at = 0;
        for (int element = from; element < from + count; element++) {
          boolean isHidden = scale.hidesFill() && isFill(type, fill, band, element);
          int colour = isHidden ? 0 : scale.colour(value(type, flat, element));
          samples[at++] = (byte) (colour >> 16);
          samples[at++] = (byte) (colour >> 8);
          samples[at++] = (byte) colour;
          if (hasAlpha) {
            samples[at++] = (byte) (colour >> 24);
          }
        }
      }
    };
  }

  private static boolean isFill(DataType type, FillValue fill, NdArray band, int element) {
    Bytes images = band.bytes();
    int size = type.itemSize();
    return fill.isAll(images.unsafeArray(), images.unsafeOffset() + element * size, size);
  }

  /** Returns the number of elements of a band. */
  static int count(NdArray band) {
    return (int) band.shape().elementCountUpTo(Integer.MAX_VALUE);
  }

  static double value(DataType type, NdArray flat, int element) {
    if (type instanceof IntegerType integer && integer.bits() > Integer.SIZE) {
      return integer.signed() ? flat.getLong(element) : flat.getBigInteger(element).doubleValue();
    }
    return flat.getDouble(element);
  }

  /** Returns the grey of a value other than NaN, from 0 to 255. */
  private static int level(GreyScale scale, double value) {
    double part = (value - scale.least()) / (scale.greatest() - scale.least());
    return (int) Math.round(WHITE * Math.max(0, Math.min(1, part)));
  }

  /** The bits of a sample. */
  int depth() {
    return depth;
  }

  boolean hasAlpha() {
    return hasAlpha;
  }

  /** Returns true where an element has a red, a green and a blue sample. */
  boolean isColoured() {
    return isColoured;
  }

  /** The bytes of the samples of an element. */
  int size() {
    return depth / Byte.SIZE * ((isColoured ? 3 : 1) + (hasAlpha ? 1 : 0));
  }

  /** Sets the samples of {@code count} elements, which stand one after the other. */
  abstract void put(NdArray band, int from, int count, byte[] samples);
}
