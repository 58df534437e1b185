package dev.zarrreactive.internal.s3.get;

import dev.zarrreactive.internal.http.Url;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.AwsSessionCredentialsIdentity;

/**
 * The server and the path of a bucket, and its signatures, as the SDK has found them.
 *
 * @param root the URL of the bucket without its path, for the client
 * @param host the header {@code Host}
 * @param path of the bucket, encoded; empty where the host names the bucket
 * @param payload the value of {@code x-amz-content-sha256}; null where nothing is signed
 * @param signer null where nothing is signed
 */
record BucketAddress(
    String root,
    String host,
    String path,
    @Nullable String payload,
    @Nullable RequestSigner signer) {

  private static final String CONTENT = "x-amz-content-sha256";

  private static final Pattern SIGNED =
      Pattern.compile(
          "AWS4-HMAC-SHA256 Credential=[^,]*/(\\d{8})/([^/,]+)/s3/aws4_request, ?"
              + "SignedHeaders=([^,]+), ?Signature=[0-9a-f]{64}");

  /** The SDK signs a GET so, over HTTP too. */
  private static final String UNSIGNED = "UNSIGNED-PAYLOAD";

  /** Names with a meaning end with {@code -s3}, such as those of directory buckets. */
  private static final Pattern PLAIN_BUCKET =
      Pattern.compile("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?<!-s3)");

  private static final Pattern PLAIN_HOST = Pattern.compile("[A-Za-z0-9.-]+");

  /** {@code aws-global} is another region in signatures, and so are regions of FIPS. */
  private static final Pattern PLAIN_REGION =
      Pattern.compile("(?!.*(fips|global))[a-z0-9][a-z0-9-]{0,61}");

  private static final Set<String> ROOTS = Set.of("", "/");

  /** The headers of a signature, and those that tell of the SDK itself. */
  private static final Set<String> NOT_OF_THE_REQUEST =
      Set.of(
          "amz-sdk-invocation-id",
          "amz-sdk-request",
          "authorization",
          "host",
          "user-agent",
          CONTENT,
          "x-amz-date",
          "x-amz-security-token");

  /**
   * Returns the address in a request of the SDK; null where that request is another one than the
   * request that is made and signed here.
   *
   * @param sent by the SDK for {@code asked}
   * @param identity that the SDK has signed with; null for none
   */
  static @Nullable BucketAddress of(
      SdkHttpRequest sent, ObjectGet asked, @Nullable AwsCredentialsIdentity identity) {
    String key = "/" + Url.encode(asked.object());
    SortedMap<String, String> headers = single(sent.headers());
    String path = sent.encodedPath();
    if (sent.method() != SdkHttpMethod.GET
        || !path.endsWith(key)
        || !query(asked).equals(sent.encodedQueryParameters().orElse(""))
        || !asked.headers().equals(ofTheRequest(headers))) {
      return null;
    }
    String host = sent.host().toLowerCase(Locale.ROOT);
    boolean usual = sent.port() == (sent.protocol().equals("https") ? 443 : 80);
    String authority = usual ? host : host + ":" + sent.port();
    String root = new Url(sent.protocol(), authority, "", null).forClient();
    String bucket = path.substring(0, path.length() - key.length());
    String authorization = headers.get("authorization");
    if (authorization == null) {
      return identity == null ? new BucketAddress(root, authority, bucket, null, null) : null;
    }
    String payload = headers.get(CONTENT);
    Matcher signed = SIGNED.matcher(authorization);
    if (identity == null
        || payload == null
        || !signed.matches()
        || !authority.equals(headers.get("host"))) {
      return null;
    }
    BucketAddress address =
        new BucketAddress(
            root, authority, bucket, payload, new RequestSigner(signed.group(2), "s3"));
    headers.keySet().retainAll(List.of(signed.group(3).split(";")));
    return address.signs(headers, asked, identity, authorization) ? address : null;
  }

  /**
   * Returns the address of a bucket in the path of a server, as the SDK makes it; null for other
   * names and servers than plain ones.
   *
   * @param identity that signs; null for none
   * @throws IllegalStateException where the algorithms of this JVM cannot sign
   */
  static @Nullable BucketAddress at(
      URI server, String bucket, String region, @Nullable AwsCredentialsIdentity identity) {
    if (!PLAIN_BUCKET.matcher(bucket).matches()
        || !PLAIN_REGION.matcher(region).matches()
        || server.getHost() == null
        || !PLAIN_HOST.matcher(server.getHost()).matches()
        || !ROOTS.contains(String.valueOf(server.getRawPath()))
        || server.getRawQuery() != null
        || server.getRawFragment() != null
        || (identity != null && identity.accessKeyId() == null)) {
      return null;
    }
    Url url = Url.of(server);
    String root = new Url(url.scheme(), url.authority(), "", null).forClient();
    return new BucketAddress(
        root,
        url.authority(),
        "/" + bucket,
        identity == null ? null : UNSIGNED,
        identity == null ? null : new RequestSigner(region, "s3"));
  }

  private boolean signs(
      SortedMap<String, String> headers,
      ObjectGet asked,
      AwsCredentialsIdentity identity,
      String authorization) {
    String time = headers.get("x-amz-date");
    return time != null
        && signer != null
        && payload != null
        && signer
            .authorization(identity, time, pathOf(asked), query(asked), headers, payload)
            .equals(authorization);
  }

  private static SortedMap<String, String> single(Map<String, List<String>> headers) {
    SortedMap<String, String> single = new TreeMap<>();
    headers.forEach(
        (name, values) -> single.put(name.toLowerCase(Locale.ROOT), String.join(",", values)));
    return single;
  }

  private static SortedMap<String, String> ofTheRequest(SortedMap<String, String> headers) {
    SortedMap<String, String> left = new TreeMap<>(headers);
    left.keySet().removeAll(NOT_OF_THE_REQUEST);
    return left;
  }

  /** Returns the encoded path of the object. */
  String pathOf(ObjectGet get) {
    return path + "/" + Url.encode(get.object());
  }

  /** Returns the encoded query; empty for none. */
  static String query(ObjectGet get) {
    String id = get.versionId();
    return id == null ? "" : "versionId=" + Url.encode(id).replace("/", "%2F");
  }

  /** Returns the URL of a request, for the client. */
  String uri(ObjectGet get) {
    String query = query(get);
    return query.isEmpty() ? root + pathOf(get) : root + pathOf(get) + "?" + query;
  }

  /**
   * Returns the headers of a request, with its signature.
   *
   * @param time of the request, such as {@code 20130524T000000Z}
   * @param identity null where nothing is signed
   */
  SortedMap<String, String> headers(
      ObjectGet get, String time, @Nullable AwsCredentialsIdentity identity) {
    SortedMap<String, String> headers = get.headers();
    headers.put("host", host);
    if (signer != null && payload != null && identity != null) {
      headers.put(CONTENT, payload);
      headers.put("x-amz-date", time);
      if (identity instanceof AwsSessionCredentialsIdentity session) {
        headers.put("x-amz-security-token", session.sessionToken());
      }
      headers.put(
          "authorization",
          signer.authorization(identity, time, pathOf(get), query(get), headers, payload));
    }
    return headers;
  }
}
