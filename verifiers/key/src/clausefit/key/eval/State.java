// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key.eval;

import com.eclipsesource.json.Json;
import com.eclipsesource.json.JsonObject;
import com.eclipsesource.json.JsonValue;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What is known of memory at one moment: objects by their names in formulas, variables, static fields
 * ({@code Class.field}). A null among values stands for one that is not known.
 */
public final class State {
    /** An object of a class has {@code fields}; an array or list has {@code elements}; the other one is null. */
    record HeapObject(String type, Map<String, Value> fields, List<Value> elements, boolean isList) {}

    private final Map<String, HeapObject> objects = new HashMap<>();
    private final Map<String, Value> variables = new HashMap<>();
    private final Map<String, Value> statics = new HashMap<>();
    private final Map<String, Set<String>> enums = new HashMap<>();
    private final Set<String> identities = new HashSet<>();

    private State() {}

    /**
     * Reads the JSON of a state (README.md of the driver, "Evaluate").
     *
     * @throws IllegalArgumentException with one line when it is not of that form
     */
    public static State read(JsonValue json) {
        try {
            State state = new State();
            JsonObject all = json.asObject();
            // Types of objects first: a value refers to an object that may stand after it.
            Map<String, String> types = new HashMap<>();
            for (JsonObject.Member member : part(all, "objects")) {
                types.put(member.getName(), member.getValue().asObject().get("type").asString());
            }
            for (JsonObject.Member member : part(all, "objects")) {
                state.objects.put(member.getName(), state.object(member.getValue().asObject(), types));
            }
            for (JsonObject.Member member : part(all, "variables")) {
                state.variables.put(member.getName(), state.value(member.getValue(), types));
            }
            for (JsonObject.Member member : part(all, "statics")) {
                state.statics.put(member.getName(), state.value(member.getValue(), types));
            }
            for (JsonObject.Member member : part(all, "enums")) {
                Set<String> names = state.enums.computeIfAbsent(member.getName(), any -> new HashSet<>());
                member.getValue().asArray().forEach(name -> names.add(name.asString()));
            }
            return state;
        } catch (UnsupportedOperationException | NullPointerException | NumberFormatException problem) {
            throw new IllegalArgumentException("not a state: " + problem.getMessage(), problem);
        }
    }

    /**
     * Reads one value; null when it is not known.
     *
     * @throws IllegalArgumentException with one line when it is not of that form
     */
    Value readValue(JsonValue json) {
        Map<String, String> types = new HashMap<>();
        objects.forEach((name, object) -> types.put(name, object.type()));
        try {
            return value(json, types);
        } catch (UnsupportedOperationException | NullPointerException | NumberFormatException problem) {
            throw new IllegalArgumentException("not a value: " + problem.getMessage(), problem);
        }
    }

    private static JsonObject part(JsonObject all, String name) {
        JsonValue value = all.get(name);
        return value == null || value.isNull() ? Json.object() : value.asObject();
    }

    private HeapObject object(JsonObject json, Map<String, String> types) {
        String type = json.get("type").asString();
        JsonValue listed = json.get("list") != null ? json.get("list") : json.get("elements");
        if (listed != null) {
            List<Value> elements = new ArrayList<>();
            listed.asArray().forEach(element -> elements.add(value(element, types)));
            return new HeapObject(type, null, elements, json.get("list") != null);
        }
        Map<String, Value> fields = new LinkedHashMap<>();
        for (JsonObject.Member member : part(json, "fields")) {
            fields.put(member.getName(), value(member.getValue(), types));
        }
        return new HeapObject(type, fields, null, false);
    }

    private Value value(JsonValue value, Map<String, String> types) {
        JsonObject json = value.asObject();
        if (json.get("unknown") != null) {
            return null;
        }
        if (json.get("null") != null) {
            return new Value.Null(json.getString("t", Value.Null.UNDECLARED));
        }
        if (json.get("ref") != null) {
            String name = json.get("ref").asString();
            return new Value.Reference(name, types.get(name), true, null, null);
        }
        String type = json.get("t").asString();
        if (json.get("constant") != null) {
            String name = json.get("constant").asString();
            enums.computeIfAbsent(type, any -> new HashSet<>()).add(name);
            return new Value.Constant(type, name, null);
        }
        String text = json.get("v").asString();
        if (type.equals("java.lang.String")) {
            String identity = json.getString("id", "");
            identities.add(identity);
            return new Value.Text(text, identity, false, null);
        }
        return type.startsWith("java.lang.") ? boxed(type, text) : primitive(Kind.of(type), text);
    }

    private static Value boxed(String type, String text) {
        Object content = switch (type) {
            case "java.lang.Byte" -> Byte.valueOf(text);
            case "java.lang.Short" -> Short.valueOf(text);
            case "java.lang.Integer" -> Integer.valueOf(text);
            case "java.lang.Long" -> Long.valueOf(text);
            case "java.lang.Character" -> (char) new BigInteger(text).intValueExact();
            case "java.lang.Boolean" -> truth(text);
            case "java.lang.Float" -> Float.valueOf(text);
            case "java.lang.Double" -> Double.valueOf(text);
            default -> null;
        };
        return content == null ? null : new Value.Boxed(content, null);
    }

    private static Value primitive(Kind kind, String text) {
        if (kind == Kind.BOOLEAN) {
            return new Value.Truth(truth(text));
        }
        if (kind.isFloating()) {
            return new Value.Floating(kind, kind == Kind.FLOAT ? Float.parseFloat(text) : Double.parseDouble(text));
        }
        if (!kind.isWhole()) {
            return null;
        }
        Value.Whole whole = new Value.Whole(kind, new BigInteger(text));
        if (!whole.fits()) {
            throw new NumberFormatException(text + " is no " + kind.word());
        }
        return whole;
    }

    private static boolean truth(String text) {
        return switch (text) {
            case "true", "1" -> true;
            case "false", "0" -> false;
            default -> throw new NumberFormatException(text + " is no boolean");
        };
    }

    /** The object of that name; null when the state has none. */
    HeapObject object(String name) {
        return objects.get(name);
    }

    /** Whether a variable of that name is listed; its value may be unknown all the same. */
    boolean hasVariable(String name) {
        return variables.containsKey(name);
    }

    Value variable(String name) {
        return variables.get(name);
    }

    Map<String, Value> statics() {
        return statics;
    }

    /** Constants of enums that the state names or lists, by the type's name. */
    Map<String, Set<String>> enums() {
        return enums;
    }

    boolean hasStrings() {
        return !identities.isEmpty();
    }

    /** Whether a string of this identity is part of the state. */
    boolean hasIdentity(String identity) {
        return identities.contains(identity);
    }
}
