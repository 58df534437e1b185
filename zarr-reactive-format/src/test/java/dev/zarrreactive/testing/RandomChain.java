package dev.zarrreactive.testing;

import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Random chains of the codecs in {@link TestCodecs#registry()}. */
public final class RandomChain {
  private static final List<DataType> TYPES =
      List.of(
          DataTypes.INT8,
          DataTypes.UINT16,
          DataTypes.FLOAT32,
          DataTypes.INT64,
          DataTypes.COMPLEX128,
          DataTypes.raw(24));

  private static final List<String> COMPRESSORS =
      List.of(
          "'crc32c'",
          "'test.length'",
          "{'name': 'gzip', 'configuration': {'level': 1}}",
          "{'name': 'zstd', 'configuration': {'level': 1, 'checksum': true}}",
          "{'name': 'blosc', 'configuration': {'cname': 'lz4', 'clevel': 5, 'shuffle': 'shuffle',"
              + " 'typesize': 4, 'blocksize': 0}}");

  private RandomChain() {}

  /** A data type; any bits are an element of it. */
  public static DataType dataType(Random random) {
    return TYPES.get(random.nextInt(TYPES.size()));
  }

  /** A chain for chunks of so many dimensions, codec by codec in JSON. */
  public static List<String> of(int rank, Random random) {
    List<String> codecs = new ArrayList<>();
    if (random.nextInt(3) == 0) {
      codecs.add("{'name': 'test.add', 'configuration': {'n': 7}}");
    }
    if (random.nextInt(3) == 0) {
      List<Integer> order = new ArrayList<>();
      for (int d = 0; d < rank; d++) {
        order.add(d);
      }
      Collections.shuffle(order, random);
      codecs.add("{'name': 'transpose', 'configuration': {'order': " + order + "}}");
    }
    String endian = random.nextInt(4) == 0 ? "big" : "little";
    codecs.add(
        random.nextInt(4) == 0
            ? "'test.reverse'"
            : "{'name': 'bytes', 'configuration': {'endian': '" + endian + "'}}");
    for (int n = random.nextInt(4); n > 0; n--) {
      codecs.add(COMPRESSORS.get(random.nextInt(COMPRESSORS.size())));
    }
    return codecs;
  }
}
