package dev.zarrreactive.credentials;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Keys that sign and check links to a part of a service. A link is a path, {@code
 * /__signed/TOKEN/PREFIX}; whatever is below it is opened, until the link expires. The signature is
 * a segment of the path, since many clients of Zarr append names such as {@code /zarr.json} to a
 * URL and lose its query.
 *
 * <p>The token is {@code KEY.EXPIRY.ACCESS.DEPTH.SIGNATURE}: the id of the key, seconds since 1970,
 * {@code r} or {@code rw}, the number of segments of the prefix, and the HMAC-SHA256 of {@code
 * zarr-link-1}, the id, the expiry, the access and the decoded prefix, joined by line feeds, in
 * Base64 of RFC 4648 section 5 without padding. So anyone who has the link can read when it expires
 * and what it opens, and whoever lacks the key can change nothing of it.
 *
 * <p>Immutable and thread-safe. {@code toString} shows the ids alone. {@link LinkKeySource#file}
 * has keys that rotate.
 */
public final class LinkKeys implements LinkKeySource {
  private static final String ROOT = "/__signed";
  private static final String PURPOSE = "zarr-link-1";
  private static final String ALGORITHM = "HmacSHA256";
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]{1,64}");
  private static final Pattern EXPIRY = Pattern.compile("[1-9][0-9]{0,11}");
  private static final Pattern DEPTH = Pattern.compile("0|[1-9][0-9]{0,2}");
  private static final long LAST = 999_999_999_999L;
  private static final int MOST_SEGMENTS = 999;
  private static final int FIELDS = 5;
  private static final String UNRESERVED = "-._~";

  /** The fewest characters of a secret: those of 24 random bytes in Base64. */
  private static final int SHORTEST = 32;

  private final Map<String, Mac> secrets;
  private final String first;

  /** What a link permits. */
  public enum Access {
    /** Requests that change nothing. */
    READ("r"),
    /** All requests. */
    READ_WRITE("rw");

    private final String letters;

    Access(String letters) {
      this.letters = letters;
    }

    private static @Nullable Access of(String letters) {
      for (Access each : values()) {
        if (each.letters.equals(letters)) {
          return each;
        }
      }
      return null;
    }
  }

  /**
   * What a link opens.
   *
   * @param target the path and the query below the link, encoded as they were sent: {@code
   *     /PREFIX/zarr.json}
   * @param prefix the prefix that was signed, decoded, without slashes at its ends; empty for all
   */
  public record Opened(String target, String prefix) {}

  private LinkKeys(Map<String, Mac> secrets) {
    this.secrets = secrets;
    this.first = secrets.keySet().iterator().next();
  }

  /**
   * Reads keys: {@code ID:SECRET}, one on each line or separated by commas; a line that begins with
   * {@code #} is a comment. The first key signs, and all of them open. So a new key is put before
   * the old one, which goes when the last link of it has expired.
   *
   * @throws IllegalArgumentException if there is no key, two have one id, an id has other
   *     characters than letters, digits, {@code _} and {@code -}, or a secret has fewer than 32
   *     characters; the message shows no secret
   */
  public static LinkKeys of(String text) {
    Map<String, Mac> keys = new LinkedHashMap<>();
    String[] entries = text.replaceAll("(?m)^\\s*#.*$", "").split("[,\\r\\n]+", -1);
    for (String entry : entries) {
      if (entry.isBlank()) {
        continue;
      }
      String place = "key " + (keys.size() + 1) + " of links ";
      int colon = entry.indexOf(':');
      String id = entry.substring(0, Math.max(0, colon)).strip();
      String secret = entry.substring(colon + 1).strip();
      if (!ID.matcher(id).matches()) {
        throw new IllegalArgumentException(
            place + "is not ID:SECRET with an id of 1 to 64 letters, digits, _ and -");
      } else if (secret.length() < SHORTEST) {
        throw new IllegalArgumentException(
            place
                + "has a secret of "
                + secret.length()
                + " characters, and needs "
                + SHORTEST
                + " random ones; \"openssl rand -base64 32\" makes some");
      } else if (keys.put(id, mac(secret)) != null) {
        throw new IllegalArgumentException(place + "has the id " + id + " of another one");
      }
    }
    if (keys.isEmpty()) {
      throw new IllegalArgumentException("there is no key of links, a line such as ID:SECRET");
    }
    return new LinkKeys(keys);
  }

  private static Mac mac(String secret) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM));
      return (Mac) mac.clone(); // the provider must be one that can
    } catch (GeneralSecurityException | CloneNotSupportedException e) {
      throw new IllegalStateException(e); // every JVM has it
    }
  }

  /** Emits these. */
  @Override
  public Mono<LinkKeys> keys() {
    return Mono.just(this);
  }

  /**
   * Returns a link to a path and all below it.
   *
   * @param path decoded, such as {@code /earth/t2m}, with or without slashes at its ends; empty for
   *     all of the service
   * @param expires when the link opens nothing more, in whole seconds
   * @return the path of the link, encoded, with a leading slash
   * @throws IllegalArgumentException if a segment is empty, {@code .}, {@code ..} or has a control
   *     character, or the expiry is before 1970 or behind the year 33658
   */
  public String sign(String path, Access access, Instant expires) {
    String prefix = path.replaceAll("^/|/$", "");
    String[] segments = prefix.isEmpty() ? new String[0] : prefix.split("/", -1);
    StringBuilder encoded = new StringBuilder();
    for (String segment : segments) {
      if (segment.isEmpty() || !isPlain(segment)) {
        throw new IllegalArgumentException(
            "a link has no empty segment, no . or .. and no control character in its path: "
                + path.replaceAll("\\p{Cntrl}", "?"));
      }
      encoded.append('/').append(encoded(segment));
    }
    long seconds = expires.getEpochSecond();
    if (seconds < 1 || seconds > LAST || segments.length > MOST_SEGMENTS) {
      throw new IllegalArgumentException("no link can expire at " + expires + ", or is so deep");
    }
    String expiry = Long.toString(seconds);
    String signature = signature(first, expiry, access, prefix);
    return String.join(
            ".",
            ROOT + "/" + first,
            expiry,
            access.letters,
            Integer.toString(segments.length),
            signature)
        + encoded;
  }

  /** Returns true for the target of a request that is a link, whether it opens anything or not. */
  public static boolean isLink(String target) {
    return target.startsWith(ROOT)
        && (target.length() == ROOT.length() || "/?#".indexOf(target.charAt(ROOT.length())) >= 0);
  }

  /**
   * Returns what a link opens; empty for one that is expired, forged, of another prefix, of an
   * unknown key, or without the access. Nothing tells these apart, and signatures are compared in
   * constant time. A path with {@code .}, {@code ..}, an empty segment, an encoded slash, a control
   * character or bad encoding opens nothing, either.
   *
   * @param target of the request: path and query as they were sent
   * @param needed what the request does
   */
  public Optional<Opened> open(String target, Access needed, Instant now) {
    int end = firstOf(target, "?#");
    String path = target.substring(0, end);
    if (!isLink(path) || path.length() == ROOT.length()) {
      return Optional.empty();
    }
    String rest = path.substring(ROOT.length() + 1);
    int slash = firstOf(rest, "/");
    String below = slash == rest.length() ? "/" : rest.substring(slash);
    String[] fields = rest.substring(0, slash).split("\\.", -1);
    List<String> segments = segments(below);
    if (fields.length != FIELDS
        || segments == null
        || !secrets.containsKey(fields[0])
        || !EXPIRY.matcher(fields[1]).matches()
        || !DEPTH.matcher(fields[3]).matches()) {
      return Optional.empty();
    }
    Access given = Access.of(fields[2]);
    int depth = Integer.parseInt(fields[3]);
    if (given == null || depth > segments.size()) {
      return Optional.empty();
    }
    String prefix = String.join("/", segments.subList(0, depth));
    boolean isSigned =
        MessageDigest.isEqual(
            signature(fields[0], fields[1], given, prefix).getBytes(StandardCharsets.UTF_8),
            fields[4].getBytes(StandardCharsets.UTF_8));
    return isSigned
            && now.getEpochSecond() < Long.parseLong(fields[1])
            && given.compareTo(needed) >= 0
        ? Optional.of(new Opened(below + target.substring(end), prefix))
        : Optional.empty();
  }

  private static int firstOf(String text, String characters) {
    for (int i = 0; i < text.length(); i++) {
      if (characters.indexOf(text.charAt(i)) >= 0) {
        return i;
      }
    }
    return text.length();
  }

  private String signature(String id, String expiry, Access access, String prefix) {
    Mac mac;
    try {
      mac = (Mac) Objects.requireNonNull(secrets.get(id)).clone();
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException(e); // it is itself a clone
    }
    String signed = String.join("\n", PURPOSE, id, expiry, access.letters, prefix);
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8)));
  }

  /** Returns the decoded segments of a path, the last of which may be empty; null for a bad one. */
  private static @Nullable List<String> segments(String path) {
    List<String> segments = new ArrayList<>();
    String[] encoded = path.substring(1).split("/", -1);
    for (int i = 0; i < encoded.length; i++) {
      String segment = decoded(encoded[i]);
      boolean isLast = i == encoded.length - 1;
      if (segment == null || !isPlain(segment) || (segment.isEmpty() && !isLast)) {
        return null;
      }
      if (!segment.isEmpty()) {
        segments.add(segment);
      }
    }
    return segments;
  }

  /** Returns false for a segment that leads elsewhere: also with parameters, as in {@code ..;}. */
  private static boolean isPlain(String segment) {
    String name = segment.substring(0, firstOf(segment, ";"));
    return !name.equals(".")
        && !name.equals("..")
        && segment.chars().noneMatch(c -> c < ' ' || c == 0x7f || c == '/' || c == '\\');
  }

  private static @Nullable String decoded(String segment) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(segment.length());
    for (int i = 0; i < segment.length(); i++) {
      char c = segment.charAt(i);
      if (c == '%') {
        int high = i + 2 < segment.length() ? digit(segment.charAt(i + 1)) : -1;
        int low = high < 0 ? -1 : digit(segment.charAt(i + 2));
        if (low < 0) {
          return null;
        }
        bytes.write(high << 4 | low);
        i += 2;
      } else if (c <= ' ' || c >= 0x7f) {
        return null;
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
      return null;
    }
  }

  private static int digit(char c) {
    return c > 'f' ? -1 : Character.digit(c, 16);
  }

  private static String encoded(String segment) {
    StringBuilder encoded = new StringBuilder();
    for (byte unit : segment.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (unit & 0xff);
      boolean isPlain =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || UNRESERVED.indexOf(c) >= 0;
      encoded.append(isPlain ? String.valueOf(c) : String.format("%%%02X", (int) c));
    }
    return encoded.toString();
  }

  /** Returns the ids. */
  @Override
  public String toString() {
    return "LinkKeys" + secrets.keySet();
  }
}
