package dev.zarrreactive.internal.s3.get;

import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.SortedMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;

/**
 * Signs GETs by Signature Version 4 of AWS for one region. The key of a day is derived once.
 * Digests are cloned, for a look-up of an algorithm may wait. Thread-safe.
 */
final class RequestSigner {
  private static final String ALGORITHM = "AWS4-HMAC-SHA256";
  private static final String MAC = "HmacSHA256";
  private static final HexFormat HEX = HexFormat.of();

  private final String scopeOfDay;
  private final String region;
  private final String service;
  private final MessageDigest digest;
  private final Mac mac;
  private volatile @Nullable DayKey last;

  /**
   * A signer for one region. It looks up algorithms, which may block.
   *
   * @throws IllegalStateException where the algorithms of this JVM cannot be cloned
   */
  RequestSigner(String region, String service) {
    this.region = region;
    this.service = service;
    this.scopeOfDay = "/" + region + "/" + service + "/aws4_request";
    try {
      digest = MessageDigest.getInstance("SHA-256");
      mac = Mac.getInstance(MAC);
      mac.init(new SecretKeySpec(new byte[] {1}, MAC));
      var unused = new Object[] {digest.clone(), mac.clone()};
    } catch (NoSuchAlgorithmException | InvalidKeyException | CloneNotSupportedException e) {
      throw new IllegalStateException("no SHA-256 of this JVM can sign requests", e);
    }
  }

  /**
   * Returns the header {@code Authorization} of a GET.
   *
   * @param time of the request, such as {@code 20130524T000000Z}
   * @param path encoded
   * @param query encoded, with its names in order; empty for none
   * @param headers to be signed, with names in lower case
   * @param payload the value of {@code x-amz-content-sha256}
   */
  String authorization(
      AwsCredentialsIdentity identity,
      String time,
      String path,
      String query,
      SortedMap<String, String> headers,
      String payload) {
    DayKey key = key(identity, time.substring(0, 8));
    String names = String.join(";", headers.keySet());
    StringBuilder request = new StringBuilder(512);
    request.append("GET\n").append(path).append('\n').append(query).append('\n');
    for (Map.Entry<String, String> header : headers.entrySet()) {
      request.append(header.getKey()).append(':');
      appendPlain(request, header.getValue());
      request.append('\n');
    }
    request.append('\n').append(names).append('\n').append(payload);
    String scope = key.day + scopeOfDay;
    String text = ALGORITHM + '\n' + time + '\n' + scope + '\n' + digest(request.toString());
    return ALGORITHM
        + " Credential="
        + identity.accessKeyId()
        + '/'
        + scope
        + ", SignedHeaders="
        + names
        + ", Signature="
        + HEX.formatHex(code(key.mac, text));
  }

  /** Appends a value without spaces at its ends, and with one space in place of several. */
  private static void appendPlain(StringBuilder text, String value) {
    boolean gap = false;
    boolean begun = false;
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (isSpace(c)) {
        gap = begun;
      } else {
        if (gap) {
          text.append(' ');
          gap = false;
        }
        begun = true;
        text.append(c);
      }
    }
  }

  private static boolean isSpace(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
  }

  private String digest(String text) {
    return HEX.formatHex(copy(digest).digest(text.getBytes(StandardCharsets.UTF_8)));
  }

  private DayKey key(AwsCredentialsIdentity identity, String day) {
    DayKey known = last;
    if (known == null || known.identity != identity || !known.day.equals(day)) {
      known = new DayKey(identity, day, derived(identity, day));
      last = known;
    }
    return known;
  }

  private Mac derived(AwsCredentialsIdentity identity, String day) {
    byte[] key = ("AWS4" + identity.secretAccessKey()).getBytes(StandardCharsets.UTF_8);
    for (String text : new String[] {day, region, service, "aws4_request"}) {
      key = code(keyed(key), text);
    }
    return keyed(key);
  }

  private Mac keyed(byte[] key) {
    Mac keyed = copy(mac);
    try {
      keyed.init(new SecretKeySpec(key, MAC));
      keyed.update(new byte[0]); // takes in the first block of the key, which copies then share
    } catch (InvalidKeyException e) {
      throw new IllegalStateException("no key for requests can be derived", e);
    }
    return keyed;
  }

  private static byte[] code(Mac keyed, String text) {
    return copy(keyed).doFinal(text.getBytes(StandardCharsets.UTF_8));
  }

  private static Mac copy(Mac mac) {
    try {
      return (Mac) mac.clone();
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException(e); // the constructor has cloned it
    }
  }

  private static MessageDigest copy(MessageDigest digest) {
    try {
      return (MessageDigest) digest.clone();
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException(e); // the constructor has cloned it
    }
  }

  /** The region, without secrets. */
  @Override
  public String toString() {
    return "RequestSigner[" + region + "]";
  }

  /** The key of one day. */
  private static final class DayKey {
    private final AwsCredentialsIdentity identity;
    private final String day;
    private final Mac mac;

    DayKey(AwsCredentialsIdentity identity, String day, Mac mac) {
      this.identity = identity;
      this.day = day;
      this.mac = mac;
    }
  }
}
