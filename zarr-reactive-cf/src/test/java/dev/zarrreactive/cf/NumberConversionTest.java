package dev.zarrreactive.cf;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.array.ElementConversion;
import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.testing.Json;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Every way of decoding has the same bits: element by element, by a loop and by a table. A NaN is
 * any NaN, since arithmetic makes signalling ones quiet.
 */
class NumberConversionTest {
  private static final List<DataType> TYPES =
      List.of(
          DataTypes.INT8,
          DataTypes.UINT8,
          DataTypes.INT16,
          DataTypes.UINT16,
          DataTypes.FLOAT16,
          DataTypes.INT32,
          DataTypes.UINT32,
          DataTypes.FLOAT32,
          DataTypes.FLOAT64);
  private static final List<String> ATTRIBUTES =
      List.of(
          "{'_FillValue': 7}",
          "{'_FillValue': 0, 'scale_factor': 0.1}",
          "{'scale_factor': -0.01, 'add_offset': 285}",
          "{'_FillValue': 7, 'scale_factor': 0.0012, 'add_offset': -3}",
          "{'_FillValue': 7, 'missing_value': [8, 9], 'add_offset': 0.5}",
          "{'scale_factor': 3}",
          "{'_FillValue': 7, 'valid_range': [-100, 100]}",
          "{'_FillValue': -1, '_Unsigned': 'true', 'scale_factor': 2}",
          "{'_FillValue': 200, '_Unsigned': 'false'}");

  @Property(tries = 60)
  void blocks_and_loops_and_tables_have_the_same_bits(@ForAll long seed) {
    Random random = new Random(seed);
    DataType type = TYPES.get(random.nextInt(TYPES.size()));
    String attributes = ATTRIBUTES.get(random.nextInt(ATTRIBUTES.size()));
    CfDecoding decoding =
        CfDecoding.of(
            ArrayMetadata.v3(Shape.of(4), type).build(),
            Json.object(attributes),
            CfRule.all(),
            false);
    ElementConversion conversion = decoding.conversion().orElseThrow();
    int size = type.itemSize();
    int each = conversion.target().itemSize();
    int all = 1 << 17;
    byte[] stored = new byte[(all + 1) * size];
    random.nextBytes(stored);
    for (int i = 0; i < all; i++) {
      if (random.nextInt(4) == 0) { // a small number, among which missing ones are
        Arrays.fill(stored, i * size + 1, (i + 1) * size + 1, (byte) 0);
        stored[i * size + 1] = (byte) random.nextInt(12);
      }
    }
    byte[] few = new byte[1000 * each];
    byte[] many = new byte[all * each + 1];
    conversion.convert(stored, 1, 1000, memory(conversion, few, 0, 1000), 0);
    conversion.convert(stored, 1, all, memory(conversion, many, 1, all), 0);
    byte[] one = new byte[each];
    for (int i = 0; i < all; i += i < 3000 ? 1 : 97) {
      elementByElement(decoding, stored, 1 + i * size, one);
      String what = "element " + i + " of " + type + " by " + attributes;
      assertThat(bits(many, 1 + i * each, each)).as(what).isEqualTo(bits(one, 0, each));
      if (i < 1000) {
        assertThat(bits(few, i * each, each)).as(what).isEqualTo(bits(one, 0, each));
      }
    }
  }

  private static ElementMemory memory(
      ElementConversion conversion, byte[] bytes, int offset, int count) {
    return ElementMemory.wrap(conversion.target(), bytes, offset, count);
  }

  /** Returns the bits of an element, of all NaNs the same. */
  private static long bits(byte[] images, int at, int size) {
    ByteBuffer image = ByteBuffer.wrap(images).order(ByteOrder.LITTLE_ENDIAN);
    return switch (size) {
      case Long.BYTES -> {
        double real = image.getDouble(at);
        yield Double.isNaN(real) ? Double.doubleToLongBits(real) : image.getLong(at);
      }
      case Integer.BYTES -> Float.floatToIntBits(image.getFloat(at));
      default -> size == Short.BYTES ? image.getShort(at) : image.get(at);
    };
  }

  private static void elementByElement(CfDecoding by, byte[] stored, int at, byte[] result) {
    requireNonNull(by.numbers()).decode(stored, at, 1, result, 0);
  }
}
