package jmlfile;

public class Clock {
    int minutes;

    public void advance(int m) { minutes = (minutes + m) % 1440; }

    public int hour() { return minutes / 60; }
}
