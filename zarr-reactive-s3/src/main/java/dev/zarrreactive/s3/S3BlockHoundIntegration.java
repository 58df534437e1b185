package dev.zarrreactive.s3;

import reactor.blockhound.BlockHound;
import reactor.blockhound.integration.BlockHoundIntegration;

/**
 * Allows the calls of the AWS SDK that look like waits and do not wait, in programs with
 * BlockHound. BlockHound finds this class by {@link java.util.ServiceLoader}; other programs never
 * load it.
 */
@SuppressWarnings("exports") // only BlockHound itself uses the class
public final class S3BlockHoundIntegration implements BlockHoundIntegration {
  private static final String DIGESTS = "software.amazon.awssdk.checksums.internal.DigestAlgorithm";

  /** Called by {@link java.util.ServiceLoader}. */
  public S3BlockHoundIntegration() {}

  @Override
  public void applyTo(BlockHound.Builder builder) {
    // The SDK names its requests at random, and the first name may seed the generator from a
    // device.
    builder.allowBlockingCallsInside("java.util.UUID", "randomUUID");
    // A parser of XML is looked for before the thread becomes an event loop.
    builder.allowBlockingCallsInside(
        "dev.zarrreactive.internal.s3.http.S3Threads$EventLoopThreads", "prepare");
    // The SDK closes its connections on Netty's thread for odd jobs, which serves no channel.
    builder.allowBlockingCallsInside("io.netty.channel.pool.SimpleChannelPool", "close");
    // The SDK keeps idle digests, for signatures, in a queue whose lock is held for some
    // instructions. It takes an idle digest or makes one, and never waits for one.
    builder
        .allowBlockingCallsInside(DIGESTS, "getDigest")
        .allowBlockingCallsInside(DIGESTS + "$CloseableMessageDigest", "close");
  }
}
