package dev.zarrreactive.webflux;

import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.NodeMetadata;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;

/**
 * The conditions of a request on the version of what it reads or changes: {@code If-Match} and
 * {@code If-None-Match} (RFC 9110, section 13). Responses with metadata, attributes and other JSON
 * have an {@code ETag} that is made of their text; those of slices have one if they are {@link
 * ArraySlice#conditional}.
 *
 * <p>A change of attributes checks them within the update, which is repeated where another program
 * was first: {@code array.updateAttributes(now -> conditions.requireMatch(now).with("units",
 * "K"))}.
 */
public final class RequestConditions {
  private static final int DIGITS = 32;

  private final List<String> match;
  private final List<String> noneMatch;

  private RequestConditions(List<String> match, List<String> noneMatch) {
    this.match = match;
    this.noneMatch = noneMatch;
  }

  /** The result of the conditions of a request. */
  enum Outcome {
    SEND,
    NOT_MODIFIED,
    FAILED
  }

  /** Returns the conditions of a request. */
  public static RequestConditions of(HttpHeaders request) {
    return new RequestConditions(request.getIfMatch(), request.getIfNoneMatch());
  }

  /** Returns the {@code ETag} of a document, with its quotation marks. */
  public static String tag(JsonValue document) {
    return '"' + hash(document.toString()) + '"';
  }

  /** Returns the {@code ETag} of metadata, with its quotation marks. */
  public static String tag(NodeMetadata metadata) {
    return tag(metadata.document());
  }

  static String hash(String text) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash).substring(0, DIGITS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /**
   * Returns a document if the conditions allow a change of it: one of the tags of {@code If-Match}
   * is its, or there is no {@code If-Match}.
   *
   * @return {@code current}; otherwise it throws an error that is answered with 412
   */
  public <T extends JsonValue> T requireMatch(T current) {
    if (!allowsChange(tag(current))) {
      throw failed();
    }
    return current;
  }

  /** Returns true for a request with {@code If-Match}. */
  boolean isOnMatch() {
    return !match.isEmpty();
  }

  /**
   * Returns true if a change of what has this tag is allowed.
   *
   * @param tag null for what has none
   */
  boolean allowsChange(@Nullable String tag) {
    return match.isEmpty()
        || match.contains("*")
        || (tag != null && !tag.startsWith("W/") && match.contains(tag));
  }

  /** Returns true if one of the tags of {@code If-Match} begins with these characters. */
  boolean hasMatch(String beginning) {
    return match.contains("*") || match.stream().anyMatch(tag -> tag.startsWith(beginning));
  }

  /**
   * Checks {@code If-Match}, then {@code If-None-Match}, for a response.
   *
   * @param tag null for what has none
   */
  Outcome check(@Nullable String tag) {
    if (!allowsChange(tag)) {
      return Outcome.FAILED;
    }
    boolean isKnown =
        tag != null
            && noneMatch.stream().anyMatch(known -> known.equals("*") || weak(known).equals(tag));
    return isKnown ? Outcome.NOT_MODIFIED : Outcome.SEND;
  }

  private static String weak(String tag) {
    return tag.startsWith("W/") ? tag.substring(2) : tag;
  }

  static RefusedSliceException failed() {
    return new RefusedSliceException(
        HttpStatus.PRECONDITION_FAILED.value(),
        "it has changed since the request's If-Match, or has no ETag; read it again");
  }
}
