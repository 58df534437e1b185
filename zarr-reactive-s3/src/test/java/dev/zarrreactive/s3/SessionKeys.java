package dev.zarrreactive.s3;

import dev.zarrreactive.store.credential.Credential;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import reactor.core.publisher.Mono;
import reactor.netty.ByteBufFlux;
import reactor.netty.http.client.HttpClient;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;

/** Keys for a session, by the action {@code AssumeRole} of a {@link RealServer} that has it. */
final class SessionKeys {
  private static final String ACTION =
      "Action=AssumeRole&Version=2011-06-15&DurationSeconds=900"; // the least that it allows

  private SessionKeys() {}

  /** Asks for the keys of one session. */
  static Mono<Credential.AwsKeys> keys() {
    return Mono.defer(
        () -> {
          URI endpoint = RealServer.endpoint();
          SdkHttpRequest signed = signed(endpoint);
          return HttpClient.create()
              .headers(
                  headers ->
                      signed.headers().forEach((name, values) -> headers.set(name, values.get(0))))
              .post()
              .uri(endpoint.resolve("/"))
              .send(ByteBufFlux.fromString(Mono.just(ACTION)))
              .responseSingle((head, body) -> body.asString())
              .map(SessionKeys::parsed);
        });
  }

  private static SdkHttpRequest signed(URI endpoint) {
    return AwsV4HttpSigner.create()
        .sign(
            all ->
                all.identity(
                        AwsCredentialsIdentity.create(
                            RealServer.accessKey(), RealServer.secretKey()))
                    .request(
                        SdkHttpRequest.builder()
                            .method(SdkHttpMethod.POST)
                            .uri(endpoint.resolve("/"))
                            .putHeader("content-type", "application/x-www-form-urlencoded")
                            .putHeader("content-length", "" + ACTION.length())
                            .build())
                    .payload(ContentStreamProvider.fromString(ACTION, StandardCharsets.UTF_8))
                    .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "sts")
                    .putProperty(AwsV4HttpSigner.REGION_NAME, "us-east-1"))
        .request();
  }

  private static Credential.AwsKeys parsed(String answer) {
    return new Credential.AwsKeys(
        element("AccessKeyId", answer),
        element("SecretAccessKey", answer),
        element("SessionToken", answer));
  }

  private static String element(String name, String answer) {
    Matcher element = Pattern.compile("<" + name + ">([^<]+)<").matcher(answer);
    if (!element.find()) {
      throw new IllegalStateException("no " + name + " in the answer of the server");
    }
    return element.group(1);
  }
}
