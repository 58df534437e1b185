package dev.zarrreactive.blockhound;

import reactor.blockhound.BlockHound;
import reactor.blockhound.integration.BlockHoundIntegration;

/**
 * Tells BlockHound of the blocking calls that it does not know: opening, reading and writing a file
 * channel, the calls of {@link java.nio.file.Files} that touch the file system, and the look-up of
 * a host name.
 *
 * <p>BlockHound finds this class by {@link java.util.ServiceLoader}; no program creates it by hand.
 * The test JVM needs {@code -XX:+AllowRedefinitionToAddDeleteMethods}, and from Java 21 on {@code
 * -XX:+EnableDynamicAgentLoading} too.
 */
public final class BlockingCallDetection implements BlockHoundIntegration {

  private static final String FILES = "java/nio/file/Files";
  private static final String FILE_CHANNEL = "java/nio/channels/FileChannel";
  private static final String FILE_CHANNEL_IMPL = "sun/nio/ch/FileChannelImpl";
  private static final String PATH = "Ljava/nio/file/Path;";
  private static final String BUFFER = "Ljava/nio/ByteBuffer;";
  private static final String OPTIONS = "[Ljava/nio/file/OpenOption;";
  private static final String LINKS = "[Ljava/nio/file/LinkOption;";
  private static final String COPIES = "[Ljava/nio/file/CopyOption;";
  private static final String ATTRIBUTES = "[Ljava/nio/file/attribute/FileAttribute;";

  /** Called by {@link java.util.ServiceLoader}. */
  public BlockingCallDetection() {}

  @Override
  public void applyTo(BlockHound.Builder builder) {
    fileChannels(builder);
    files(builder);
    hostNames(builder);
    // It may seed SecureRandom from a device, once; random names are no I/O of ours.
    builder.allowBlockingCallsInside("java.util.UUID", "randomUUID");
    // The JDK's logger, which Netty writes warnings with, has locks of its own; what it would stop
    // is the event loop of all tests, for a line of text.
    builder.allowBlockingCallsInside("java.util.logging.Logger", "log");
    // Netty tells BlockHound of the locks of its pooled allocator, and not of those of the adaptive
    // one, the default of 4.2. Threads that allocate at once hold them for some instructions.
    builder.allowBlockingCallsInside("io.netty.buffer.AdaptivePoolingAllocator", "free");
    builder.allowBlockingCallsInside("io.netty.buffer.AdaptivePoolingAllocator$Magazine", "free");
    // The TCK's subscribers keep signals in this queue and hold its lock for some instructions. An
    // error thrown there loses the signal, and the test waits for it in vain.
    builder.allowBlockingCallsInside("java.util.concurrent.ArrayBlockingQueue", "offer");
    // So does the iterator of a flux, to wake the thread that waits for its next element.
    builder.allowBlockingCallsInside(
        "reactor.core.publisher.BlockingIterable$SubscriberIterator", "signalConsumer");
  }

  private static void fileChannels(BlockHound.Builder builder) {
    builder
        .markAsBlocking(
            FILE_CHANNEL,
            "open",
            "(" + PATH + "Ljava/util/Set;" + ATTRIBUTES + ")Ljava/nio/channels/FileChannel;")
        .markAsBlocking(FILE_CHANNEL_IMPL, "read", "(" + BUFFER + ")I")
        .markAsBlocking(FILE_CHANNEL_IMPL, "read", "(" + BUFFER + "J)I")
        .markAsBlocking(FILE_CHANNEL_IMPL, "read", "([" + BUFFER + "II)J")
        .markAsBlocking(FILE_CHANNEL_IMPL, "write", "(" + BUFFER + ")I")
        .markAsBlocking(FILE_CHANNEL_IMPL, "write", "(" + BUFFER + "J)I")
        .markAsBlocking(FILE_CHANNEL_IMPL, "write", "([" + BUFFER + "II)J")
        .markAsBlocking(FILE_CHANNEL_IMPL, "force", "(Z)V");
  }

  private static void files(BlockHound.Builder builder) {
    builder
        .markAsBlocking(FILES, "readAllBytes", "(" + PATH + ")[B")
        .markAsBlocking(FILES, "write", "(" + PATH + "[B" + OPTIONS + ")" + PATH)
        .markAsBlocking(FILES, "newInputStream", "(" + PATH + OPTIONS + ")Ljava/io/InputStream;")
        .markAsBlocking(FILES, "newOutputStream", "(" + PATH + OPTIONS + ")Ljava/io/OutputStream;")
        .markAsBlocking(
            FILES, "newDirectoryStream", "(" + PATH + ")Ljava/nio/file/DirectoryStream;")
        .markAsBlocking(
            FILES,
            "readAttributes",
            "("
                + PATH
                + "Ljava/lang/Class;"
                + LINKS
                + ")Ljava/nio/file/attribute/BasicFileAttributes;")
        .markAsBlocking(
            FILES,
            "newByteChannel",
            "("
                + PATH
                + "Ljava/util/Set;"
                + ATTRIBUTES
                + ")Ljava/nio/channels/SeekableByteChannel;")
        .markAsBlocking(FILES, "isDirectory", "(" + PATH + LINKS + ")Z")
        .markAsBlocking(FILES, "isRegularFile", "(" + PATH + LINKS + ")Z")
        .markAsBlocking(FILES, "exists", "(" + PATH + LINKS + ")Z")
        .markAsBlocking(FILES, "size", "(" + PATH + ")J")
        .markAsBlocking(FILES, "createDirectory", "(" + PATH + ATTRIBUTES + ")" + PATH)
        .markAsBlocking(FILES, "createDirectories", "(" + PATH + ATTRIBUTES + ")" + PATH)
        .markAsBlocking(FILES, "move", "(" + PATH + PATH + COPIES + ")" + PATH)
        .markAsBlocking(FILES, "copy", "(" + PATH + PATH + COPIES + ")" + PATH)
        .markAsBlocking(FILES, "delete", "(" + PATH + ")V")
        .markAsBlocking(FILES, "deleteIfExists", "(" + PATH + ")Z");
  }

  /** The native look-ups, not {@code getByName}: an address in digits costs no wait. */
  private static void hostNames(BlockHound.Builder builder) {
    for (String family : new String[] {"java/net/Inet4AddressImpl", "java/net/Inet6AddressImpl"}) {
      builder
          .markAsBlocking(
              family, "lookupAllHostAddr", "(Ljava/lang/String;)[Ljava/net/InetAddress;")
          .markAsBlocking(
              family, "lookupAllHostAddr", "(Ljava/lang/String;I)[Ljava/net/InetAddress;")
          .markAsBlocking(family, "getHostByAddr", "([B)Ljava/lang/String;");
    }
  }
}
