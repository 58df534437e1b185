package dev.zarrreactive.internal.transfer;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.error.ValueTooLargeException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;

/**
 * A coding in which a server sends a whole value though it was asked for none (RFC 9110, section
 * 8.4.1).
 */
public enum BodyCoding {
  /** {@code gzip} and {@code x-gzip}. */
  GZIP {
    @Override
    InputStream decoding(InputStream encoded) throws IOException {
      return new GZIPInputStream(encoded, PART);
    }
  },
  /** {@code deflate}, which is the format of zlib. */
  DEFLATE {
    @Override
    InputStream decoding(InputStream encoded) {
      return new InflaterInputStream(encoded);
    }
  };

  private static final int PART = 8192;

  abstract InputStream decoding(InputStream encoded) throws IOException;

  /**
   * Returns the coding of a body; null where it is as the value is stored.
   *
   * @param content the values of the header {@code Content-Encoding}
   * @param transfer the values of the header {@code Transfer-Encoding}
   * @throws StoreException for another coding, and for several
   */
  public static @Nullable BodyCoding of(
      StoreKey key, String url, List<String> content, List<String> transfer) {
    List<String> names = new ArrayList<>();
    add(content, "identity", names);
    add(transfer, "chunked", names);
    if (names.isEmpty()) {
      return null;
    }
    BodyCoding only = names.size() == 1 ? named(names.get(0)) : null;
    if (only == null) {
      throw refusal(key, url, String.join(", ", names));
    }
    return only;
  }

  /** Returns the error for a body that cannot be decoded, or of which only a part was asked for. */
  public static StoreException refusal(StoreKey key, String url, String coding) {
    return ResponseErrors.violation(
        key,
        url,
        "answered with a body in \""
            + coding
            + "\", asked for identity: only whole values in gzip or deflate can be decoded. Let"
            + " the server send the stored bytes");
  }

  private static void add(List<String> headers, String none, List<String> names) {
    for (String header : headers) {
      for (String name : header.split(",", -1)) {
        String coding = name.strip().toLowerCase(Locale.ROOT);
        if (!coding.isEmpty() && !coding.equals(none) && !coding.equals("identity")) {
          names.add(coding);
        }
      }
    }
  }

  private static @Nullable BodyCoding named(String coding) {
    return switch (coding) {
      case "gzip", "x-gzip" -> GZIP;
      case "deflate" -> DEFLATE;
      default -> null;
    };
  }

  /**
   * Returns the first bytes of a value, as many as the first part of its body gives.
   *
   * @param encoded the first part; it may be cut anywhere, and need not be in this coding
   * @param most the most bytes to return
   */
  public byte[] beginning(byte[] encoded, int most) {
    ByteArrayOutputStream begun = new ByteArrayOutputStream();
    byte[] part = new byte[most];
    try (InputStream in = decoding(new ByteArrayInputStream(encoded))) {
      int read;
      while ((read = in.read(part, 0, most - begun.size())) > 0) {
        begun.write(part, 0, read);
      }
    } catch (IOException e) {
      // the rest is in the next part, or the body is in another coding
    }
    return begun.toByteArray();
  }

  /**
   * Returns the bound of an encoded body: bytes that do not compress take a little more than
   * themselves.
   *
   * @param maxBytes the bound of the value
   */
  static long bound(long maxBytes) {
    long more = maxBytes / 1024 + 1024;
    return maxBytes > Long.MAX_VALUE - more ? Long.MAX_VALUE : maxBytes + more;
  }

  /**
   * Decodes a whole body.
   *
   * @param maxBytes the bound of the value, beyond which nothing is decoded
   * @throws ValueTooLargeException where the value is larger
   * @throws TransientStoreException where the body ends too early
   * @throws StoreException where the body is damaged
   */
  Bytes decode(Bytes encoded, long maxBytes, StoreKey key, String url) {
    BodyBuffer value = new BodyBuffer(-1, maxBytes);
    byte[] part = new byte[PART];
    InputStream body =
        new ByteArrayInputStream(encoded.unsafeArray(), encoded.unsafeOffset(), encoded.size());
    try (InputStream decoding = decoding(body)) {
      for (int read = decoding.read(part); read >= 0; read = decoding.read(part)) {
        if (read > maxBytes - value.size() || !value.hasRoomFor(read)) {
          throw new ValueTooLargeException(
              ValueTooLargeException.UNKNOWN_SIZE, maxBytes, Location.ofKey(key.value()));
        }
        value.add(ByteBuffer.wrap(part, 0, read), 0, read);
      }
    } catch (EOFException e) {
      throw new TransientStoreException(
          url + " sent a body in " + this + " that ends too early", Location.ofKey(key.value()), e);
    } catch (IOException e) {
      throw new StoreException(
          url + " sent a body that is not in " + this + ", as its head says",
          Location.ofKey(key.value()),
          e);
    }
    return value.bytes();
  }

  /** The name of the coding in HTTP. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
