package defaults;

public class Registry {
    private final /*@ spec_public @*/ String[] names = new String[4];
    private /*@ spec_public @*/ int used;

    //@ public invariant 0 <= used && used <= names.length && names.length == 4;

    /*@ public normal_behavior
      @   requires used < 4;
      @   assignable used, names[used];
      @   ensures \result == \old(used) && used == \old(used) + 1 && names[\result] == name;
      @ also public exceptional_behavior
      @   requires used == 4;
      @   assignable \nothing;
      @   signals_only IllegalStateException; @*/
    public int register(String name) {
        if (used == names.length) throw new IllegalStateException();
        names[used] = name;
        return used++;
    }

    /*@ ensures \result == null <==> !(\exists int i; 0 <= i && i < used; names[i].equals(name));
      @ ensures \result != null ==> \result.equals(name); @*/
    public /*@ pure nullable @*/ String lookup(String name) {
        for (int i = 0; i < used; i++) if (names[i].equals(name)) return names[i];
        return null;
    }

    /*@ requires index < used && index >= 0;
      @ assignable names[index .. 3], used;
      @ ensures used == \old(used) - 1;
      @ ensures (\forall int i; index <= i && i < used; names[i] == \old(names[i + 1]));
      @ ensures (\forall int i; used <= i && i < 4; names[i] == null); @*/
    public void remove(int index) {
        for (int i = index; i + 1 < used; i++) names[i] = names[i + 1];
        names[--used] = null;
    }

    //@ ensures \result == used;
    public /*@ pure @*/ int used() { return used; }
}
