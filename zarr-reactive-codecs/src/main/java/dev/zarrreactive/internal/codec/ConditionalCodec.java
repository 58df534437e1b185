package dev.zarrreactive.internal.codec;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.codec.Codec;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.LocatedJson;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * The {@code conditional} codec: applies some of its bytes→bytes codecs to a chunk, and writes
 * before it one bit for each: bit {@code i}, counted from the lowest of the first byte, is set for
 * codec {@code i}. A codec whose result has no fixed size, a compressor, is applied if the result
 * is smaller. Every other codec, for example a checksum, is always applied.
 */
record ConditionalCodec(
    NamedConfiguration configuration, List<BytesToBytesCodec> codecs, int headerSize)
    implements BytesToBytesCodec {
  static final String NAME = "conditional";

  private static final int MAX_CODECS = 64;

  static ConditionalCodec of(NamedConfiguration use, CodecRegistry registry) {
    use.configuration().allowOnly("codecs", "header_bits");
    List<BytesToBytesCodec> codecs = new ArrayList<>();
    if (use.member("codecs").elements().size() > MAX_CODECS) {
      throw use.member("codecs").expected("at most " + MAX_CODECS + " codecs");
    }
    for (LocatedJson json : use.member("codecs").elements()) {
      Codec codec = registry.create(NamedConfiguration.parse(json));
      if (!(codec instanceof BytesToBytesCodec bytes)) {
        throw json.expected("a bytes→bytes codec");
      } else if (codec instanceof ConditionalCodec) {
        throw json.error(
            "a conditional codec inside another is not supported: one list can hold the codecs of both");
      }
      codecs.add(bytes);
    }
    LocatedJson bits = use.optional("header_bits");
    int headerSize = (codecs.size() + Byte.SIZE - 1) / Byte.SIZE;
    if (bits != null) {
      int given = bits.integer(codecs.size(), Integer.MAX_VALUE);
      if (given % Byte.SIZE != 0) {
        throw bits.expected("a multiple of 8");
      }
      headerSize = given / Byte.SIZE;
    }
    return new ConditionalCodec(use, codecs, headerSize);
  }

  @Override
  public SizeBound encodedSize(SizeBound decoded) {
    SizeBound most = decoded;
    for (BytesToBytesCodec codec : codecs) {
      long encoded = codec.encodedSize(most).bytes();
      most = SizeBound.atMost(Math.max(most.bytes(), encoded)).after(decoded);
    }
    return SizeBound.atMost(most.plus(headerSize).bytes());
  }

  @Override
  public Bytes encode(Bytes decoded) {
    Bytes bytes = decoded;
    byte[] header = new byte[headerSize];
    for (int i = 0; i < codecs.size(); i++) {
      BytesToBytesCodec codec = codecs.get(i);
      boolean always = codec.encodedSize(SizeBound.exactly(bytes.size())).exact();
      Bytes encoded = codec.encode(bytes);
      if (always || encoded.size() < bytes.size()) {
        header[i / Byte.SIZE] |= (byte) (1 << i % Byte.SIZE);
        bytes = encoded;
      }
    }
    byte[] chunk = new byte[Math.addExact(headerSize, bytes.size())];
    System.arraycopy(header, 0, chunk, 0, headerSize);
    bytes.copyTo(0, chunk, headerSize, bytes.size());
    return Bytes.wrap(chunk);
  }

  @Override
  public Bytes decode(Bytes encoded, DecodeTarget target) {
    List<BytesToBytesCodec> applied = applied(encoded);
    List<SizeBound> sizes = new ArrayList<>();
    SizeBound size = target.size();
    for (BytesToBytesCodec codec : applied) {
      sizes.add(size);
      size = codec.encodedSize(size).after(target.size());
    }
    Bytes bytes = encoded.slice(headerSize, encoded.size() - headerSize);
    for (int i = applied.size() - 1; i >= 0; i--) {
      DecodeTarget here = i == 0 ? target : DecodeTarget.fresh(sizes.get(i));
      bytes = undo(applied.get(i), bytes, here);
    }
    target.check(bytes.size());
    return bytes;
  }

  private static Bytes undo(BytesToBytesCodec codec, Bytes encoded, DecodeTarget target) {
    try {
      Bytes decoded = codec.decode(encoded, target);
      target.check(decoded.size());
      return decoded;
    } catch (ZarrException e) {
      throw e.at(Location.UNKNOWN.codec(codec.name()));
    }
  }

  /** Returns the codecs that the header names. */
  private List<BytesToBytesCodec> applied(Bytes encoded) {
    if (encoded.size() < headerSize) {
      throw new CodecException(
          "expected at least the "
              + headerSize
              + " bytes of the bits that name the applied codecs, found "
              + encoded.size(),
          Location.UNKNOWN);
    }
    BigInteger bits = bits(encoded.slice(0, headerSize));
    if (bits.bitLength() > codecs.size()) {
      throw new CodecException(
          "bit "
              + (bits.bitLength() - 1)
              + " names an applied codec, but there are only "
              + codecs.size(),
          Location.UNKNOWN);
    }
    List<BytesToBytesCodec> applied = new ArrayList<>();
    for (int i = 0; i < codecs.size(); i++) {
      if (bits.testBit(i)) {
        applied.add(codecs.get(i));
      }
    }
    return applied;
  }

  private static BigInteger bits(Bytes header) {
    byte[] bigEndian = new byte[header.size()];
    for (int i = 0; i < bigEndian.length; i++) {
      bigEndian[bigEndian.length - 1 - i] = header.get(i);
    }
    return new BigInteger(1, bigEndian);
  }
}
