package dev.zarrreactive.internal.s3.get;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.internal.http.Url;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.HttpSigner;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.AwsSessionCredentialsIdentity;

/** Signatures of reads: those that AWS publishes, and those of the SDK. */
class RequestSignerTest {
  private static final String NOTHING =
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

  private static final String SECRET = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";

  private static final AwsCredentialsIdentity OF_S3 =
      AwsCredentialsIdentity.create("AKIAIOSFODNN7EXAMPLE", SECRET);

  private static final AwsCredentialsIdentity OF_THE_SUITE =
      AwsCredentialsIdentity.create("AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY");

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

  private final RequestSigner signer = new RequestSigner("us-east-1", "s3");

  private String signature(String path, String query, Map<String, String> more) {
    TreeMap<String, String> headers = new TreeMap<>(more);
    headers.put("host", "examplebucket.s3.amazonaws.com");
    headers.put("x-amz-content-sha256", NOTHING);
    headers.put("x-amz-date", "20130524T000000Z");
    return signer.authorization(OF_S3, "20130524T000000Z", path, query, headers, NOTHING);
  }

  /** From the page on the Authorization header in the reference of the API of Amazon S3. */
  @Example
  void the_examples_of_amazon_s3() {
    assertThat(signature("/test.txt", "", Map.of("range", "bytes=0-9")))
        .isEqualTo(
            "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
                + " SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,"
                + " Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
    assertThat(signature("/", "lifecycle=", Map.of()))
        .endsWith("=fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543");
    assertThat(signature("/", "max-keys=2&prefix=J", Map.of()))
        .endsWith("=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7");
  }

  /** From the test suite of Signature Version 4. */
  @Example
  void the_plainest_request_of_the_test_suite() {
    TreeMap<String, String> headers = new TreeMap<>();
    headers.put("host", "example.amazonaws.com");
    headers.put("x-amz-date", "20150830T123600Z");
    assertThat(
            new RequestSigner("us-east-1", "service")
                .authorization(OF_THE_SUITE, "20150830T123600Z", "/", "", headers, NOTHING))
        .isEqualTo(
            "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request,"
                + " SignedHeaders=host;x-amz-date,"
                + " Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31");
  }

  @Example
  void texts_of_the_signer_and_of_an_address_show_no_secret() {
    BucketAddress address = new BucketAddress("http://a", "a", "/b", NOTHING, signer);
    signature("/", "", Map.of());
    assertThat(signer + " " + address).contains("us-east-1").doesNotContain(SECRET, "AKIA");
  }

  /** A read, with the moment and the credentials that sign it. */
  record Signed(
      ObjectGet get, Instant time, AwsCredentialsIdentity identity, boolean encrypted, int port) {}

  @Property(tries = 3000)
  void each_read_is_signed_as_the_sdk_signs_it(@ForAll("reads") Signed read) {
    String host = "bucket.s3.example";
    String protocol = read.encrypted ? "https" : "http";
    String query = BucketAddress.query(read.get);
    SdkHttpRequest.Builder request =
        SdkHttpRequest.builder()
            .method(SdkHttpMethod.GET)
            .protocol(protocol)
            .host(host)
            .port(read.port)
            .encodedPath("/base/" + Url.encode(read.get.object()));
    if (read.get.versionId() != null) {
      request.putRawQueryParameter("versionId", read.get.versionId());
    }
    read.get.headers().forEach(request::putHeader);
    SdkHttpRequest bySdk =
        AwsV4HttpSigner.create()
            .sign(
                all ->
                    all.identity(read.identity)
                        .request(request.build())
                        .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "s3")
                        .putProperty(AwsV4HttpSigner.REGION_NAME, "us-east-1")
                        .putProperty(AwsV4HttpSigner.DOUBLE_URL_ENCODE, false)
                        .putProperty(AwsV4HttpSigner.NORMALIZE_PATH, false)
                        .putProperty(AwsV4HttpSigner.PAYLOAD_SIGNING_ENABLED, !read.encrypted)
                        .putProperty(
                            HttpSigner.SIGNING_CLOCK, Clock.fixed(read.time, ZoneOffset.UTC)))
            .request();
    boolean usual = read.port == (read.encrypted ? 443 : 80);
    BucketAddress address =
        new BucketAddress(
            protocol + "://" + host,
            usual ? host : host + ":" + read.port,
            "/base",
            read.encrypted ? "UNSIGNED-PAYLOAD" : NOTHING,
            signer);
    Map<String, String> expected = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    bySdk.headers().forEach((name, values) -> expected.put(name, values.get(0)));
    Map<String, String> ours = address.headers(read.get, TIME.format(read.time), read.identity);
    assertThat(ours.keySet()).hasSameSizeAs(expected.keySet());
    assertThat(expected).containsAllEntriesOf(ours);
    assertThat(query).isEqualTo(bySdk.encodedQueryParameters().orElse(""));
  }

  @Provide
  Arbitrary<Signed> reads() {
    Arbitrary<Instant> times =
        Arbitraries.longs()
            .between(1_400_000_000L, 4_000_000_000L)
            .map(Instant::ofEpochSecond)
            .edgeCases(cases -> cases.add(Instant.parse("2028-02-29T23:59:59Z")));
    return Combinators.combine(gets(), times, identities(), Arbitraries.of(true, false), ports())
        .as(Signed::new);
  }

  private static Arbitrary<Integer> ports() {
    return Arbitraries.of(80, 443, 9000, 1, 65535);
  }

  private static Arbitrary<String> text(int most) {
    return Arbitraries.strings()
        .withCharRange(' ', '~')
        .withChars('\u00e9', '\u20ac', '\u4e2d')
        .ofMinLength(1)
        .ofMaxLength(most);
  }

  private static Arbitrary<String> token() {
    return Arbitraries.strings().withCharRange('!', '~').ofMinLength(1).ofMaxLength(60);
  }

  private static Arbitrary<AwsCredentialsIdentity> identities() {
    Arbitrary<String> id = Arbitraries.strings().withCharRange('A', 'Z').ofLength(20);
    return Combinators.combine(id, token(), token().injectNull(0.5))
        .as(
            (key, secret, session) ->
                session == null
                    ? AwsCredentialsIdentity.create(key, secret)
                    : AwsSessionCredentialsIdentity.create(key, secret, session));
  }

  private static Arbitrary<ObjectGet> gets() {
    Arbitrary<String> name = text(40).filter(SignedGets::canName);
    Arbitrary<String> range =
        Arbitraries.longs().between(0, 1L << 40).map(from -> "bytes=" + from + "-" + (from + 99));
    Arbitrary<String> header =
        Arbitraries.strings().withCharRange(' ', '~').ofMinLength(1).ofMaxLength(30);
    Arbitrary<String> tag = header.map(text -> '"' + text + '"');
    return Combinators.combine(
            name,
            range.injectNull(0.3),
            tag.injectNull(0.5),
            tag.injectNull(0.5),
            text(20).injectNull(0.5),
            Arbitraries.of(true, false))
        .as(RequestSignerTest::get);
  }

  private static ObjectGet get(
      String name,
      @Nullable String range,
      @Nullable String ifMatch,
      @Nullable String ifNoneMatch,
      @Nullable String version,
      boolean payer) {
    return new ObjectGet(
        "bucket", name, range, ifMatch, ifNoneMatch, null, version, payer, Location.UNKNOWN, "");
  }
}
