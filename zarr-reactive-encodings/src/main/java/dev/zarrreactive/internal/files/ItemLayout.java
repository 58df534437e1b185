package dev.zarrreactive.internal.files;

import dev.zarrreactive.datatype.Components;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.StructField;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The bytes of an element in a file.
 *
 * @param dataType of the element
 * @param fileSize the bytes of an element in the file, with its padding
 * @param pieces the parts that make the image of the element, in its order
 */
public record ItemLayout(DataType dataType, int fileSize, List<Piece> pieces) {
  /**
   * A part of an element.
   *
   * @param from the first byte in the file's element
   * @param components the parts whose bytes have an order
   * @param swapped whether their bytes are big-endian in the file
   */
  public record Piece(int from, Components components, boolean swapped) {
    Piece at(int offset) {
      return new Piece(offset + from, components, swapped);
    }
  }

  /**
   * A field of a struct, or padding.
   *
   * @param name empty for padding
   */
  record Field(String name, ItemLayout layout) {}

  /** Returns the layout of a type whose image stands in the file, in one byte order. */
  public static ItemLayout of(DataType type, ByteOrder order) {
    List<Piece> pieces = new ArrayList<>();
    int from = 0;
    for (Components components : type.components()) {
      boolean swapped = components.size() > 1 && order.equals(ByteOrder.BIG_ENDIAN);
      pieces.add(new Piece(from, components, swapped));
      from += components.byteSize();
    }
    return new ItemLayout(type, from, pieces);
  }

  /** Returns the layout of a struct of these fields, without its padding. */
  static ItemLayout of(List<Field> fields) {
    List<StructField> named = new ArrayList<>();
    List<Piece> pieces = new ArrayList<>();
    int from = 0;
    for (Field field : fields) {
      if (!field.name().isEmpty()) {
        named.add(new StructField(field.name(), field.layout().dataType()));
        for (Piece piece : field.layout().pieces()) {
          pieces.add(piece.at(from));
        }
      }
      from += field.layout().fileSize();
    }
    return new ItemLayout(DataTypes.struct(named.toArray(StructField[]::new)), from, pieces);
  }

  /** Returns the layout with another type of the same size, for bytes without a meaning. */
  public ItemLayout as(DataType type) {
    return new ItemLayout(type, fileSize, pieces);
  }

  /** Returns the images of elements; it may change the bytes in place. */
  byte[] images(byte[] file) {
    boolean isSwapped = pieces.stream().anyMatch(Piece::swapped);
    if (fileSize == dataType.itemSize() && !isSwapped) {
      return file;
    }
    int count = file.length / fileSize;
    byte[] images = fileSize == dataType.itemSize() ? file : new byte[count * dataType.itemSize()];
    int to = 0;
    for (int item = 0; item < count; item++) {
      for (Piece piece : pieces) {
        int size = piece.components().byteSize();
        System.arraycopy(file, item * fileSize + piece.from(), images, to, size);
        if (piece.swapped()) {
          piece.components().swap(images, to);
        }
        to += size;
      }
    }
    return images;
  }
}
