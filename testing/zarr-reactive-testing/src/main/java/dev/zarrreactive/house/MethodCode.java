package dev.zarrreactive.house;

import com.tngtech.archunit.thirdparty.org.objectweb.asm.ClassReader;
import com.tngtech.archunit.thirdparty.org.objectweb.asm.ClassVisitor;
import com.tngtech.archunit.thirdparty.org.objectweb.asm.Handle;
import com.tngtech.archunit.thirdparty.org.objectweb.asm.Label;
import com.tngtech.archunit.thirdparty.org.objectweb.asm.MethodVisitor;
import com.tngtech.archunit.thirdparty.org.objectweb.asm.Opcodes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The calls of a method, and which of them are made while it holds a monitor. */
final class MethodCode {
  private static final int API = Opcodes.ASM9;

  /** Methods of maps that run their argument while they hold the lock of an entry. */
  private static final Set<String> UNDER_AN_ENTRY =
      Set.of("compute", "computeIfAbsent", "computeIfPresent", "merge");

  /** Methods of collections that run their argument before they return. */
  private static final Set<String> AT_ONCE = Set.of("forEach", "removeIf", "replaceAll");

  private final boolean isSynchronized;
  private final List<Instruction> instructions = new ArrayList<>();
  private final List<Block> blocks = new ArrayList<>();
  private final Map<Label, Integer> places = new HashMap<>();

  private MethodCode(boolean isSynchronized) {
    this.isSynchronized = isSynchronized;
  }

  /** A method, by the internal name of its class. */
  record Method(String owner, String name, String descriptor) {
    @Override
    public String toString() {
      return owner.replace('/', '.') + "." + name;
    }
  }

  /**
   * A call.
   *
   * @param isLocked whether the caller holds a monitor, or the lock of a map's entry
   */
  record Call(Method target, int line, boolean isLocked) {}

  /** A class: its superclass and interfaces, and the code of its methods. */
  record OfClass(@Nullable String above, List<String> interfaces, Map<Method, MethodCode> methods) {
    /** Reads a class of the class path; null where there is none. */
    static @Nullable OfClass read(String internalName) {
      try (InputStream code =
          MethodCode.class.getClassLoader().getResourceAsStream(internalName + ".class")) {
        if (code == null) {
          return null;
        }
        ClassReader reader = new ClassReader(code.readAllBytes());
        Map<Method, MethodCode> methods = new HashMap<>();
        reader.accept(new Reading(internalName, methods), ClassReader.SKIP_FRAMES);
        return new OfClass(reader.getSuperName(), List.of(reader.getInterfaces()), methods);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private record Instruction(
      int opcode, @Nullable Method target, boolean isLambda, int line, @Nullable Method body) {}

  private record Block(Label start, Label end, Label handler) {}

  /** Returns the calls, and those that a lambda makes which a collection runs at once. */
  List<Call> calls() {
    List<Call> calls = new ArrayList<>();
    for (int i = 0; i < instructions.size(); i++) {
      Instruction each = instructions.get(i);
      if (each.isLambda()) {
        Method runner = nextTarget(i);
        if (each.body() != null && runner != null && runsAtOnce(runner)) {
          boolean isUnderAnEntry = UNDER_AN_ENTRY.contains(runner.name());
          calls.add(new Call(each.body(), each.line(), isUnderAnEntry || isLocked(i)));
        }
      } else if (each.target() != null) {
        calls.add(new Call(each.target(), each.line(), isLocked(i)));
      }
    }
    return calls;
  }

  private static boolean runsAtOnce(Method runner) {
    String owner = runner.owner();
    return owner.startsWith("java/util/stream/")
        || owner.startsWith("java/util/Optional")
        || ((owner.startsWith("java/util/") || owner.equals("java/lang/Iterable"))
            && (AT_ONCE.contains(runner.name()) || UNDER_AN_ENTRY.contains(runner.name())));
  }

  private @Nullable Method nextTarget(int place) {
    for (int i = place + 1; i < instructions.size(); i++) {
      Instruction each = instructions.get(i);
      if (each.target() != null && !each.isLambda()) {
        return each.target();
      }
    }
    return null;
  }

  private boolean isLocked(int place) {
    return isSynchronized
        || blocks.stream()
            .anyMatch(
                block ->
                    releasesAMonitor(Objects.requireNonNull(places.get(block.handler())))
                        && Objects.requireNonNull(places.get(block.start())) <= place
                        && place < Objects.requireNonNull(places.get(block.end())));
  }

  /** The handler by which a compiler ends a synchronized block keeps the error first. */
  private boolean releasesAMonitor(int handler) {
    return handler + 2 < instructions.size()
        && instructions.get(handler).opcode() == Opcodes.ASTORE
        && instructions.get(handler + 1).opcode() == Opcodes.ALOAD
        && instructions.get(handler + 2).opcode() == Opcodes.MONITOREXIT;
  }

  private static final class Reading extends ClassVisitor {
    private final String owner;
    private final Map<Method, MethodCode> methods;

    Reading(String owner, Map<Method, MethodCode> methods) {
      super(API);
      this.owner = owner;
      this.methods = methods;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      MethodCode code = new MethodCode((access & Opcodes.ACC_SYNCHRONIZED) != 0);
      methods.put(new Method(owner, name, descriptor), code);
      return code.new Recorder();
    }
  }

  private final class Recorder extends MethodVisitor {
    private int line;

    Recorder() {
      super(API);
    }

    private void add(int opcode) {
      instructions.add(new Instruction(opcode, null, false, line, null));
    }

    @Override
    public void visitLineNumber(int number, Label start) {
      line = number;
    }

    @Override
    public void visitLabel(Label label) {
      places.put(label, instructions.size());
    }

    @Override
    public void visitTryCatchBlock(Label start, Label end, Label handler, @Nullable String type) {
      if (type == null) {
        blocks.add(new Block(start, end, handler));
      }
    }

    @Override
    public void visitInsn(int opcode) {
      add(opcode);
    }

    @Override
    public void visitVarInsn(int opcode, int variable) {
      add(opcode);
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
      add(opcode);
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
      add(opcode);
    }

    @Override
    public void visitJumpInsn(int opcode, Label label) {
      add(opcode);
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      Method target = new Method(owner, name, descriptor);
      instructions.add(new Instruction(opcode, target, false, line, null));
    }

    @Override
    public void visitInvokeDynamicInsn(
        String name, String descriptor, Handle bootstrap, Object... arguments) {
      Method body = null;
      for (Object each : arguments) {
        if (each instanceof Handle handle) {
          body = new Method(handle.getOwner(), handle.getName(), handle.getDesc());
        }
      }
      Method made = new Method("java/lang/invoke/LambdaMetafactory", name, descriptor);
      instructions.add(new Instruction(Opcodes.INVOKEDYNAMIC, made, true, line, body));
    }
  }
}
