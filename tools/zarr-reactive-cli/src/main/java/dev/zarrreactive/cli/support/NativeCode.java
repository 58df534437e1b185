package dev.zarrreactive.cli.support;

import com.github.luben.zstd.util.Native;
import dev.zarrreactive.codec.InflaterProvider;
import io.netty.channel.epoll.Epoll;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Supplier;
import net.jpountz.lz4.LZ4Factory;
import org.xerial.snappy.Snappy;

/** The libraries of machine code, as far as this machine can load them. */
final class NativeCode {
  private NativeCode() {}

  /** Tries each library, which loads it. May read files. */
  static List<String> found() {
    return List.of(
        "zstd " + tried(NativeCode::zstd),
        "lz4 " + tried(() -> LZ4Factory.nativeInstance() == null ? "none" : "native"),
        "snappy " + tried(Snappy::getNativeLibraryVersion),
        "epoll " + tried(() -> Epoll.isAvailable() ? "native" : "none, Java's selector instead"),
        "inflater " + tried(NativeCode::inflater));
  }

  private static String zstd() {
    Native.load();
    return Native.isLoaded() ? "native" : "none";
  }

  private static String inflater() {
    for (InflaterProvider provider : ServiceLoader.load(InflaterProvider.class)) {
      if (provider.isAvailable()) {
        return provider.getClass().getSimpleName();
      }
    }
    return "Java's";
  }

  private static String tried(Supplier<String> library) {
    try {
      return library.get();
    } catch (LinkageError | RuntimeException | ServiceConfigurationError e) {
      return "none (" + e.getMessage() + ")";
    }
  }
}
