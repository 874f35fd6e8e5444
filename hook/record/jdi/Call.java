package clausefit.record;

import com.sun.jdi.Method;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.StackFrame;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.Value;
import com.sun.jdi.VoidValue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A call of a watched method that is under way: what it was given, and what of it can be read again at its end. */
final class Call {
    private static final Set<String> SIMPLE = Set.of(
            "void", "boolean", "byte", "char", "short", "int", "long", "float", "double", "java.lang.String");
    final Watch watch;
    final Method method;
    /** How many frames the stack had when it began, its own among them. */
    final int depth;
    final boolean isOutermost;
    final Frames frames;
    final long startedAt;
    final long order;
    /** Calls of other threads that were under way at the same time. */
    final Set<Call> overlapping = new HashSet<>();
    /** Whether other threads ran that are no longer watched. */
    boolean isDisturbed;
    /** What other threads did when it began, null when that does not matter. */
    final Others others;
    /** Whether another thread was seen to run code of the project since. */
    boolean ranBesideProject;
    /** Its breakpoints were removed because it runs long. */
    boolean isReleased;
    /** Whether it would be seen if it came back although it was released. */
    boolean isSeenComingBack;
    /** It has reached its return instruction: the next exit of its method in its thread is its own. */
    boolean isReturning;
    int exceptions;
    /** How often it came to its start again by a loop. */
    int loops;
    int timesSeenBusy;
    boolean hasWaited;
    boolean wasSeenRunning;

    private final Readers readers;
    private final Numbering numbers = new Numbering();
    private final ObjectReference self;
    private final List<Value> roots = new ArrayList<>();
    private final Set<ObjectReference> objects;
    /** What was there before, behind static fields of the class that the contract does not name. */
    private final Set<ObjectReference> older = new HashSet<>();
    /** Static fields of which all that they led to was seen. */
    private final Set<Watch.StaticField> seenStatics = new HashSet<>();
    private final boolean isWhole;
    /** Whether an object that nobody knew before is a new one; null as long as that was not asked. */
    private Boolean isUnknownNew;
    private final String before;

    Call(Watch watch, Method method, StackFrame frame, int depth, boolean isOutermost, Frames frames, long order,
            long startedAt, Readers readers) {
        this.watch = watch;
        this.method = method;
        this.depth = depth;
        this.isOutermost = isOutermost;
        this.frames = frames;
        this.order = order;
        this.startedAt = startedAt;
        this.readers = readers;
        self = method.isStatic() ? null : frame.thisObject();
        List<Value> given = frame.getArgumentValues();
        List<Value> arguments = given.subList(watch.hidden, given.size());
        // Of an object that is being made nothing can be said before its constructor has run.
        boolean hasReceiver = self != null && !method.isConstructor();
        if (hasReceiver) {
            roots.add(self);
        }
        roots.addAll(arguments);
        List<Statics.Held> statics = Statics.read(watch.statics, method.declaringType());
        List<Value> all = new ArrayList<>(roots);
        statics.forEach(one -> all.add(one.value()));
        Shot shot = new Shot(readers, all, List.of(), object -> true);
        objects = new HashSet<>(shot.objects());
        // The object around an inner one is not shown.
        isWhole = shot.isWhole() && watch.hidden == 0;
        if (isWhole && (made() != null || givesObject() || !objects.isEmpty())) {
            lookBehindStatics(shot);
        }
        Json out = new Json().open('{');
        if (hasReceiver) {
            out.key("this");
            readers.leaves.write(out, self, self.referenceType().name(), shot.kept(), numbers);
        }
        out.key("args").open('[');
        List<String> types = method.argumentTypeNames();
        for (int i = 0; i < arguments.size(); i++) {
            readers.leaves.write(out, arguments.get(i), types.get(watch.hidden + i), shot.kept(), numbers);
        }
        out.close(']');
        writeState(out, statics, shot);
        before = out.close('}').toString();
        others = hasMemory() || givesObject() ? new Others(readers.bystanders, frame.thread()) : null;
    }

    private void lookBehindStatics(Shot shot) {
        seenStatics.addAll(watch.statics);
        List<Statics.Held> held = Statics.read(watch.unnamed, method.declaringType());
        for (int i = 0; i < held.size(); i++) {
            Value value = held.get(i).value();
            Shot behind = new Shot(readers, value == null ? List.of() : List.of(value), List.of(), object -> true);
            if (behind.isWhole()) {
                seenStatics.add(watch.unnamed.get(i));
            }
            older.addAll(behind.objects());
        }
        older.removeIf(one -> shot.kept().contains(one.uniqueID()));
    }

    /** Whether other threads can change anything of it: objects, arrays, static fields that the contract names. */
    private boolean hasMemory() {
        return made() != null || !watch.statics.isEmpty() || !numbers.objects().isEmpty();
    }

    private boolean givesObject() {
        return !SIMPLE.contains(method.returnTypeName());
    }

    /** Whether another thread may have changed the memory that is told of it; asked when it ends. */
    boolean isDisturbedByOthers(ThreadReference thread) {
        return hasMemory() && (ranBesideProject || others == null || others.runProject()
                || others.mayHaveRunUntil(new Others(readers.bystanders, thread)));
    }

    /** The same for a call that never ended, of which the JVM need not be there any more. */
    boolean wasDisturbedByOthers() {
        return hasMemory() && (ranBesideProject || others == null || others.runProject());
    }

    /** The object that a constructor makes, null for other calls. */
    ObjectReference made() {
        return method.isConstructor() ? self : null;
    }

    boolean sharesObjectsWith(Call other) {
        if (!watch.statics.isEmpty() && !java.util.Collections.disjoint(watch.statics, other.watch.statics)) {
            return true;
        }
        return numbers.objects().stream().anyMatch(other.numbers.objects()::contains);
    }

    /** The call that ended with a value, as a line; null stands for the null reference. */
    String returned(Value result) {
        Value value = made() != null ? made() : result;
        Json out = new Json().open('{').key("end").text("return");
        Shot shot = after(value);
        if (!(value instanceof VoidValue)) {
            String type = made() != null ? made().referenceType().name() : method.returnTypeName();
            out.key("result");
            readers.leaves.write(out, value, type, shot.kept(), numbers);
        }
        return line(out, shot);
    }

    /** The call that an exception of this type ended, as a line. */
    String threw(String type) {
        return line(new Json().open('{').key("end").text("throw").key("thrown").text(type), after(null));
    }

    /** The call that never ended, as a line. */
    String never() {
        return before + "\n" + new Json().open('{').key("end").text("timeout").close('}');
    }

    private Shot after(Value result) {
        List<Value> all = new ArrayList<>(roots);
        if (result != null) {
            all.add(result);
        }
        Statics.read(watch.statics, method.declaringType()).forEach(one -> all.add(one.value()));
        return new Shot(readers, all, objects, object -> objects.contains(object) || isNew(object));
    }

    /**
     * Whether an object that was not seen before is certainly one that the call made. All others may be old: what was
     * too far away, or behind something that is not looked into.
     */
    private boolean isNew(ObjectReference object) {
        if (object.equals(made())) {
            return true;
        }
        if (isUnknownNew == null) {
            isUnknownNew = isWhole && readers.reach.isClosed(method, seenStatics);
        }
        return isUnknownNew && !older.contains(object);
    }

    private String line(Json out, Shot shot) {
        writeState(out, Statics.read(watch.statics, method.declaringType()), shot);
        return before + "\n" + out.close('}');
    }

    private void writeState(Json out, List<Statics.Held> statics, Shot shot) {
        out.key("statics").open('[');
        for (Statics.Held one : statics) {
            if (one.isKnown()) {
                readers.leaves.write(out, one.value(), one.type(), shot.kept(), numbers);
            } else {
                out.open('[').text("U").text(one.type()).close(']');
            }
        }
        out.close(']').key("objects");
        shot.write(out, numbers);
    }
}
