package dev.zarrreactive.testing;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.codec.Codec;
import dev.zarrreactive.codec.CodecProvider;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.extension.NamedConfiguration;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;

/** The codec {@code probe}: leaves bytes as they are, and notes who calls it. */
public final class ProbeCodec implements CodecProvider {
  private final Set<String> threads = new ConcurrentSkipListSet<>();
  private final AtomicInteger calls = new AtomicInteger();
  private volatile Runnable work = () -> {};

  /** What it does in every call. */
  public ProbeCodec doing(Runnable runnable) {
    work = runnable;
    return this;
  }

  public CodecRegistry registry() {
    return CodecRegistry.standard().with(this);
  }

  public static NamedConfiguration configuration() {
    return NamedConfiguration.of("probe");
  }

  /** The names of the threads that encoded or decoded. */
  public Set<String> threads() {
    return threads;
  }

  public int calls() {
    return calls.get();
  }

  @Override
  public Set<String> names() {
    return Set.of("probe");
  }

  @Override
  public Codec create(NamedConfiguration configuration, CodecRegistry registry) {
    return new Probe(configuration, this);
  }

  private void called() {
    calls.incrementAndGet();
    threads.add(Thread.currentThread().getName());
    work.run();
  }

  private record Probe(NamedConfiguration configuration, ProbeCodec probe)
      implements BytesToBytesCodec {
    @Override
    public SizeBound encodedSize(SizeBound decoded) {
      return decoded;
    }

    @Override
    public Bytes encode(Bytes decoded) {
      probe.called();
      return decoded;
    }

    @Override
    public Bytes decode(Bytes encoded, DecodeTarget target) {
      probe.called();
      return encoded;
    }
  }
}
