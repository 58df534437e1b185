package dev.zarrreactive.interop;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What others are known not to read, or to read wrong, and why. The one place for it: whatever else
 * goes wrong is taken for a fault of ours.
 */
final class PeerFaults {
  private static final String NO_DATA_TYPE = "no such data type";

  private static final List<Fault> KNOWN =
      List.of(
          cannot(
              "zarr",
              "(dtype|fill)-(u?int[24]|bfloat16|float[468]_.*|complex_.*)-.*",
              NO_DATA_TYPE),
          cannot(
              "tensorstore",
              "(dtype|fill)-(uint[24]|float6_.*|float8_e4m3|complex_.*|datetime64|timedelta64"
                  + "|(fixed_length_)?utf32|null_terminated_bytes|bytes|struct-nested)-.*",
              NO_DATA_TYPE),
          cannot("zarr", "(v2)?blosc-snappy-.*", "its blosc is built without snappy"),
          cannot("numcodecs", "v2blosc-snappy-.*", "its blosc is built without snappy"),
          cannot("zarr", "endian", "takes this old name of bytes, and then refuses it"),
          cannot("tensorstore", "endian", "no codec of this old name"),
          cannot("(zarr|tensorstore)", "vlen-binary.*", NO_DATA_TYPE),
          cannot(
              "tensorstore",
              "(vlen|cast_value|scale_offset|numcodecs|sharded-numcodecs)-.*",
              "none of these codecs"),
          cannot("zarr", "cast_value-.*", "only with the package cast-value-rs"),
          cannot(
              "zarr", "rectilinear.*", "an experiment behind a switch, and in new versions only"),
          cannot("tensorstore", "rectilinear.*", "no such chunk grid"),
          cannot(
              "zarr", "sharding-transposed", "compares inner chunks with the untransposed shard"),
          cannot("tensorstore", "sharding-compressed", "nothing may follow the sharding codec"),
          cannot("tensorstore", "grown-(.*-string|.*-rectilinear)-.*", "neither of both"),
          cannot("zarr", "grown-.*-rectilinear-.*", "an experiment, and in new versions only"),
          cannot(".*", "grown-.*-r24-.*", "another name; see WrittenForOthersTest.renameRaw"),
          cannot("zarrista", "grown-v3-0d-.*", "no transpose of an array without dimensions"),
          cannot("zarrista", "grown-v2-.*-string-.*", "an error where the order is F"),
          cannot("zarrista", "dtype-(complex|struct)_?.*", "no NumPy type for it"),
          cannot("zarrista", "(scale_offset|cast_value)-.*", "none of these codecs"),
          cannot("zarrista", "v2object-msgpack2-.*", "no such codec"),
          cannot("zarrista", "vlen-.*-transposed", "an error for elements that are there"),
          wrong("zarrista", "numcodecs-fixedscaleoffset-rounded", "rounds another way"),
          wrong("zarr", "numcodecs-fixedscaleoffset", "takes big-endian integers for little ones"),
          cannot("zarr", "scale_offset-.*|dtype-struct-nested-.*", "in new versions only"),
          cannot("numcodecs", "v2object-msgpack2-.*", "only with the package msgpack"),
          cannot("(zarr|tensorstore)", "v2object-msgpack2-.*", "no such codec"),
          wrong(
              "tensorstore", "fill-float8_e8m0fnu-[0-9].*", "halves the exponent of a fill value"),
          wrong("zarr", "fill-float16-0x.*", "a NaN loses its payload on the way through a float"));

  /** Names of codecs and data types that no peer reads wherever it is installed, and why. */
  private static final Map<String, String> READ_BY_NOBODY =
      Map.of(
          "bitround|conditional|n5_default|packbits|reshape|vlen-ndarray|(zarrs\\.|https://.*/)?optional",
              "no peer has the registered codec",
          "draft.index_checksum", "of a draft of Zarr v3, which no peer reads",
          "endian", "an old name of bytes, which no peer takes",
          "cast_value", "zarr reads it, but only with the package cast-value-rs",
          "scale_offset", "zarr reads it in new versions only",
          "(numcodecs\\.)?imagecodecs_.*",
              "only with the package imagecodecs; ImagecodecsVectorsTest has its vectors",
          "zfp|(numcodecs\\.)?zfpy|zarrs\\.zfp|https://.*/zfp",
              "only with the package zfpy; ZfpVectorsTest has its vectors",
          "(numcodecs\\.|zarrs\\.|https://.*/)?pcodec",
              "only with the package pcodec; PcoVectorsTest has its vectors",
          "numcodecs.msgpack2", "numcodecs reads it, but only with the package msgpack",
          "complex_.*|float6_.*|float8_e4m3|uint[24]|binary", "no peer has the data type");

  private PeerFaults() {}

  /**
   * A fault of a peer.
   *
   * @param reader a pattern of the peer's name
   * @param cases a pattern of the names of arrays
   * @param wrong true where the peer reads other values, false where it says that it cannot
   */
  record Fault(String reader, Pattern cases, boolean wrong, String reason) {}

  private static Fault cannot(String reader, String cases, String reason) {
    return new Fault(reader, Pattern.compile(cases), false, reason);
  }

  private static Fault wrong(String reader, String cases, String reason) {
    return new Fault(reader, Pattern.compile(cases), true, reason);
  }

  /** The known fault of a reader with a case. */
  static Optional<Fault> of(String reader, String name) {
    return KNOWN.stream()
        .filter(fault -> reader.matches(fault.reader()) && fault.cases().matcher(name).matches())
        .findFirst();
  }

  /** True where a peer is known that should read the case. */
  static boolean isReadBySomeone(Written array) {
    List<String> readers =
        array.metadata().zarrFormat() == 2
            ? List.of("tensorstore", "zarr", "numcodecs")
            : List.of("tensorstore", "zarr");
    return readers.stream().anyMatch(reader -> of(reader, array.name()).isEmpty());
  }

  /** True where no peer is sure to read the codec or data type of this name. */
  static boolean isReadByNobody(String name) {
    return READ_BY_NOBODY.keySet().stream().anyMatch(name::matches);
  }
}
