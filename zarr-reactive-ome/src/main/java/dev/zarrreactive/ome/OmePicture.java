package dev.zarrreactive.ome;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.encodings.Encodings;
import java.util.List;

/**
 * A picture in memory.
 *
 * @param rgb {@code uint8} of shape (height, width, 3): red, green and blue in sRGB; or of shape
 *     (height, width, 4), with the opacity
 * @param gaps what attributes name and the picture lacks: levels, images and wells that cannot be
 *     opened
 */
public record OmePicture(NdArray rgb, List<OmeGap> gaps) {
  /** Creates a picture without gaps; otherwise as the other constructor. */
  public OmePicture(NdArray rgb) {
    this(rgb, List.of());
  }

  /**
   * Checks the array, and copies the list.
   *
   * @throws IllegalArgumentException if it has another data type or shape
   */
  public OmePicture {
    gaps = List.copyOf(gaps);
    Shape shape = rgb.shape();
    if (!rgb.dataType().equals(DataTypes.UINT8)
        || shape.rank() != 3
        || (shape.extent(2) != 3 && shape.extent(2) != 4)
        || shape.isEmpty()) {
      throw new IllegalArgumentException(
          "a picture has uint8 of the shape (height, width, 3) or (height, width, 4), not "
              + rgb.dataType()
              + " of "
              + shape);
    }
  }

  /** The number of rows. */
  public int height() {
    return (int) rgb.shape().extent(0);
  }

  /** The number of columns. */
  public int width() {
    return (int) rgb.shape().extent(1);
  }

  /** Returns the picture as the bytes of a PNG file. They are compressed on the caller's thread. */
  public Bytes png() {
    return Encodings.encode(Encodings.png(), rgb);
  }
}
