package dev.zarrreactive.interop;

import static dev.zarrreactive.interop.MetadataParts.array;
import static dev.zarrreactive.interop.MetadataParts.blosc;
import static dev.zarrreactive.interop.MetadataParts.bytes;
import static dev.zarrreactive.interop.MetadataParts.codec;
import static dev.zarrreactive.interop.MetadataParts.crc32c;
import static dev.zarrreactive.interop.MetadataParts.gzip;
import static dev.zarrreactive.interop.MetadataParts.transpose;
import static dev.zarrreactive.interop.MetadataParts.zstd;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.codec.Codecs;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import java.util.ArrayList;
import java.util.List;

/** Zarr v2: compressors, filters, and objects. */
final class WrittenZarr2Codecs {
  private final List<Written> all = new ArrayList<>();

  private WrittenZarr2Codecs() {}

  static List<Written> all() {
    WrittenZarr2Codecs arrays = new WrittenZarr2Codecs();
    arrays.compressors();
    arrays.bloscVariants();
    arrays.exactFilters();
    arrays.roundingFilters();
    arrays.texts();
    arrays.objects();
    return arrays.all;
  }

  private void compressors() {
    WrittenCodecs.registered().forEach((name, codec) -> compressor(name, codec));
    WrittenCodecs.numcodecs().forEach((name, codec) -> compressor("numcodecs." + name, codec));
    compressor("base64", codec("numcodecs.base64", "{}"));
    for (int level : new int[] {0, 1, 9}) {
      compressor("zlib-" + level, codec("numcodecs.zlib", "{'level': " + level + "}"));
    }
    add(
        "v2filter-chain",
        array(DataTypes.FLOAT64, 70, 9)
            .codecs(
                transpose(1, 0),
                bytes("big"),
                codec("numcodecs.shuffle", "{'elementsize': 8}"),
                codec("numcodecs.crc32", "{}"),
                gzip(1),
                zstd(3, false),
                codec("numcodecs.fletcher32", "{}")));
  }

  private void compressor(String name, NamedConfiguration codec) {
    add("v2codec-" + name, array(DataTypes.INT32, 70, 9).chunkShape(30, 5).compressors(codec));
    add(
        "v2codec-" + name + "-before",
        array(DataTypes.FLOAT32, 301).codecs(bytes("big"), codec, gzip(1)));
  }

  private void add(String name, ArrayMetadataBuilder builder) {
    all.add(Written.whole(name, builder.zarrFormat(2).build()));
  }

  private void bloscVariants() {
    for (String cname : List.of("blosclz", "lz4", "lz4hc", "snappy", "zlib", "zstd")) {
      for (String shuffle : List.of("noshuffle", "shuffle", "bitshuffle")) {
        add(
            "v2blosc-" + cname + "-" + shuffle,
            array(DataTypes.FLOAT32, 2003)
                .chunkShape(1001)
                .compressors(blosc(cname, shuffle, 4, 5, 0)));
      }
    }
    add("v2blosc-typesize", array(DataTypes.INT64, 999).compressors(anotherSize()));
  }

  /** Shuffles as if elements had three bytes. */
  private static NamedConfiguration anotherSize() {
    return blosc("lz4", "shuffle", 3, 5, 0);
  }

  private void exactFilters() {
    for (String dtype : List.of("<i2", ">i2", "|u1", "<i8", ">u4")) {
      opened("v2filter-delta-" + dtype, "{'dtype': '%1$s', 'filters': [%2$s]}", dtype, "delta");
    }
    whole(
        "v2filter-delta-times",
        "{'dtype': '<M8[s]', 'filters': [{'id': 'delta', 'dtype': '<i8'}]}");
    whole(
        "v2filter-delta-spans",
        "{'dtype': '>m8[D]', 'filters': [{'id': 'delta', 'dtype': '>i8'}]}");
    counting(
        "v2filter-delta-astype",
        "{'dtype': '<i8', 'filters': [{'id': 'delta', 'dtype': '<i8', 'astype': '>i2'}]}");
    counting(
        "v2filter-fixedscaleoffset",
        """
        {'dtype': '<f8', 'filters': [{'id': 'fixedscaleoffset', 'offset': 10, 'scale': 4,
         'dtype': '<f8', 'astype': '<i2'}]}
        """);
    counting(
        "v2filter-fixedscaleoffset-big",
        """
        {'dtype': '>f4', 'filters': [{'id': 'fixedscaleoffset', 'offset': -3, 'scale': 2,
         'dtype': '>f4', 'astype': '>i4'}, {'id': 'delta', 'dtype': '>i4'}]}
        """);
    for (String order : List.of("C", "F")) {
      whole(
          "v2filter-packbits-" + order,
          "{'dtype': '|b1', 'filters': [{'id': 'packbits'}], 'order': '" + order + "'}");
      counting(
          "v2filter-astype-" + order,
          "{'dtype': '<f8', 'order': '"
              + order
              + "', 'filters':"
              + " [{'id': 'astype', 'encode_dtype': '>i4', 'decode_dtype': '<f8'}]}");
    }
  }

  private void opened(String name, String document, String dtype, String id) {
    whole(
        name.replace('<', 'l').replace('>', 'b').replace('|', 'n'),
        document.formatted(dtype, "{'id': '" + id + "', 'dtype': '" + dtype + "'}"));
  }

  private void whole(String name, String changes) {
    all.add(Written.whole(name, WrittenZarr2.opened(changes)));
  }

  private void counting(String name, String changes) {
    ArrayMetadata metadata = WrittenZarr2.opened(changes);
    all.add(Written.of(name, metadata, WrittenElements.counting(metadata, 40)));
  }

  private void roundingFilters() {
    for (String dtype : List.of("<f2", "<f4", "<f8", ">f4")) {
      String name = dtype.replace('<', 'l').replace('>', 'b');
      rounded(
          "v2filter-quantize-" + name,
          """
          {'dtype': '%1$s', 'filters': [{'id': 'quantize', 'digits': 2, 'dtype': '%1$s'}]}
          """
              .formatted(dtype));
      rounded(
          "v2filter-bitround-" + name,
          "{'dtype': '" + dtype + "', 'filters': [{'id': 'bitround', 'keepbits': 4}]}");
    }
  }

  private void rounded(String name, String changes) {
    all.add(Written.rounded(name, WrittenZarr2.opened(changes)));
  }

  private void texts() {
    NamedConfiguration categorize =
        codec("numcodecs.categorize", "{'labels': ['a', 'üb', '日😀'], 'dtype': '|O'}");
    for (DataType type : List.of(DataTypes.STRING, DataTypes.fixedLengthUtf32(3))) {
      String dtype = type instanceof VariableLengthType ? "|O" : "<U3";
      for (String astype : List.of("|u1", "<i2", ">i4")) {
        ArrayMetadata metadata =
            WrittenZarr2.opened(
                """
                {'dtype': '%s', 'fill_value': '', 'filters': [{'id': 'categorize',
                 'labels': ['a', 'üb', '日😀'], 'dtype': '%s', 'astype': '%s'}]}
                """
                    .formatted(dtype, dtype, astype));
        String name = "v2categorize-" + dtype.substring(1) + "-" + astype.substring(1);
        all.add(Written.of(name, metadata, labels(metadata)));
      }
    }
    ArrayMetadata built =
        array(DataTypes.STRING, 9, 7)
            .codecs(categorize, codec("bytes", "{}"))
            .zarrFormat(2)
            .build();
    all.add(Written.of("v2categorize-built", built, labels(built)));
  }

  private static NdArray labels(ArrayMetadata metadata) {
    String[] labels = {"a", "", "üb", "日😀", "üb"};
    String[] texts = new String[metadata.shape().elementCount().intValueExact()];
    for (int i = 0; i < texts.length; i++) {
      texts[i] = labels[i % labels.length];
    }
    return NdArray.ofStrings(metadata.dataType(), metadata.shape(), texts);
  }

  private void objects() {
    for (VariableLengthType type : List.of(DataTypes.STRING, DataTypes.BYTES)) {
      String name = "v2object-" + type.name();
      add(name, array(type, 9, 7).chunkShape(4, 3));
      add(name + "-zstd", array(type, 9, 7).chunkShape(4, 3).compressors(zstd(3, false)));
      add(
          name + "-F",
          array(type, 9, 7)
              .chunkShape(4, 3)
              .codecs(transpose(1, 0), Codecs.toBytes(type), gzip(1), crc32c()));
      all.add(
          Written.rows(
              name + "-missing", array(type, 20, 5).chunkShape(3, 2).zarrFormat(2).build(), 6, 9));
    }
    for (String items : List.of("<i4", ">f8", "|u1", "<i2")) {
      String name = "v2object-lists-" + items.substring(1) + (items.startsWith(">") ? "-big" : "");
      whole(name, "{'filters': [{'id': 'vlen-array', 'dtype': '" + items + "'}]}");
    }
    for (String id : List.of("json2", "msgpack2")) {
      for (String order : List.of("C", "F")) {
        String filter = "'filters': [{'id': '" + id + "'}]";
        whole("v2object-" + id + "-" + order, "{" + filter + ", 'order': '" + order + "'}");
      }
      whole(
          "v2object-" + id + "-1d",
          "{'shape': [30], 'chunks': [7], 'filters': [{'id': '" + id + "'}]}");
    }
  }
}
