package dev.zarrreactive.encodings;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An {@code .npy} file, read as {@code numpy.lib.format} describes it. */
record NpyFile(int version, String description, long[] shape, byte[] data) {
  private static final Pattern HEADER =
      Pattern.compile(
          "\\{'descr': (.*), 'fortran_order': False, 'shape': \\((.*)\\), \\} *\n", Pattern.DOTALL);

  static NpyFile parse(byte[] file) {
    ByteBuffer buffer = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    byte[] magic = new byte[6];
    buffer.get(magic);
    assertThat(magic).containsExactly(0x93, 'N', 'U', 'M', 'P', 'Y');
    int version = buffer.get();
    assertThat(buffer.get()).as("minor version").isZero();
    byte[] header = new byte[version == 1 ? buffer.getShort() & 0xffff : buffer.getInt()];
    buffer.get(header);
    assertThat(buffer.position() % 64).as("the data are aligned").isZero();
    Matcher parts = HEADER.matcher(new String(header, StandardCharsets.US_ASCII));
    assertThat(parts.matches()).isTrue();
    byte[] data = new byte[buffer.remaining()];
    buffer.get(data);
    return new NpyFile(version, parts.group(1), shape(parts.group(2)), data);
  }

  private static long[] shape(String tuple) {
    return Arrays.stream(tuple.split(","))
        .map(String::strip)
        .filter(extent -> !extent.isEmpty())
        .mapToLong(Long::parseLong)
        .toArray();
  }
}
