package dev.zarrreactive.server;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * The target of a request, decoded: the mirror of the encoding by which stores over HTTP name keys.
 *
 * @param path without the leading slash; empty for the root, and ending with a slash for a
 *     directory
 * @param query as it was sent; empty where there is none
 * @param root the path of the group below which a link opens all, without slashes at its ends;
 *     empty for the root of the store
 */
record RequestPath(String path, String query, String root) {
  private static final int FIRST_VISIBLE = 0x21;
  private static final int DELETE = 0x7f;

  /**
   * Decodes the target of a request.
   *
   * @throws BadRequestException for a target that is badly encoded, or is no key: with a segment
   *     that is empty, {@code .} or {@code ..}, an encoded slash or a control character
   */
  static RequestPath of(String target) {
    String relative = target;
    int authority = target.startsWith("/") ? -1 : target.indexOf("://");
    if (authority >= 0) { // the absolute form, which a client sends to a proxy
      int start = target.indexOf('/', authority + 3);
      relative = start < 0 ? "/" : target.substring(start);
    }
    int fragment = relative.indexOf('#');
    relative = fragment < 0 ? relative : relative.substring(0, fragment);
    int query = relative.indexOf('?');
    String encoded = query < 0 ? relative : relative.substring(0, query);
    if (!encoded.startsWith("/")) {
      throw new BadRequestException("the path of a request begins with a slash");
    }
    String path = decode(encoded.substring(1));
    String key = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    if (!path.isEmpty()) {
      try {
        StoreKey.of(key);
      } catch (IllegalArgumentException e) {
        throw new BadRequestException("not a path of a value: " + e.getMessage());
      }
    }
    return new RequestPath(path, query < 0 ? "" : relative.substring(query + 1), "");
  }

  /** Returns the same path, which a link to {@code prefix} has opened. */
  RequestPath openedBy(String prefix) {
    return new RequestPath(path, query, prefix);
  }

  /** Returns the path below a prefix, which ends with a slash. */
  RequestPath below(String prefix) {
    return new RequestPath(
        path.substring(prefix.length()),
        query,
        root.startsWith(prefix) ? root.substring(prefix.length()) : "");
  }

  /** Returns true for a path that ends with a slash, and for the root. */
  boolean isDirectory() {
    return path.isEmpty() || path.endsWith("/");
  }

  /** Returns the key of the value; only for a path that is no directory. */
  StoreKey key() {
    return StoreKey.of(path);
  }

  /** Returns the prefix of the values in the directory. */
  StorePrefix prefix() {
    return StorePrefix.of(path);
  }

  /** Percent-decodes one name of a link; see {@link DirectoryListing}. */
  private static String decode(String encoded) {
    if (encoded.chars().allMatch(c -> c >= FIRST_VISIBLE && c < DELETE && c != '%')) {
      return encoded;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(encoded.length());
    for (int i = 0; i < encoded.length(); i++) {
      char c = encoded.charAt(i);
      if (c == '%') {
        int value = hex(encoded, i + 1) << 4 | hex(encoded, i + 2);
        i += 2;
        if (value == '/') {
          throw new BadRequestException("an encoded slash (%2F) in the path: keys hold none");
        }
        if (value < ' ' || value == DELETE) {
          throw new BadRequestException("an encoded control character in the path");
        }
        bytes.write(value);
      } else if (c < FIRST_VISIBLE || c >= DELETE) {
        throw new BadRequestException("a character in the path that must be percent-encoded");
      } else {
        bytes.write(c);
      }
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes.toByteArray()))
          .toString();
    } catch (CharacterCodingException e) {
      throw new BadRequestException("the decoded path is not UTF-8");
    }
  }

  private static int hex(String encoded, int index) {
    int digit = index < encoded.length() ? Character.digit(encoded.charAt(index), 16) : -1;
    if (digit < 0 || encoded.charAt(index) > 'f') {
      throw new BadRequestException("a percent sign without two hexadecimal digits in the path");
    }
    return digit;
  }
}
